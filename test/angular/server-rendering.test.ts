import '@angular/compiler';
import { Component, provideZonelessChangeDetection, type ApplicationRef } from '@angular/core';
import { bootstrapApplication, type BootstrapContext } from '@angular/platform-browser';
import { provideServerRendering, renderApplication } from '@angular/platform-server';
import { delay, of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { aiServiceResource } from '../../src/angular/ai-service-resource.ts';
import type { Chat } from '../../src/angular/chat/chat.ts';
import { injectChat } from '../../src/angular/inject-chat.ts';
import { provideFakeAiService } from '../../src/angular/testing/provide-fake-ai-service.ts';
import { aiService } from '../../src/service/ai-service.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { tool } from '../../src/tool/tool.ts';

const answers = () => scriptedModel([[{ call: 'look' }], ['It is fine.']]);
const look = tool({ name: 'look', execute: () => of('sunny').pipe(delay(20)) });

/** What a server makes of a page that asks while it is made. */
async function rendered(onServer: boolean) {
  const model = answers();
  const summing = aiService({ model: scriptedModel(['--i---s-----!|']) });
  let chat: Chat | undefined;
  class Page {
    readonly chat = (chat = injectChat({ onServer }));
    readonly summary = aiServiceResource({ service: summing, params: () => 'And the summary?', onServer });
    constructor() {
      this.chat.send('How is the weather?');
    }
  }
  const template = '<p>{{ chat.status() }}: {{ chat.text() }}</p><p>{{ summary.status() }}: {{ summary.value() }}</p>';
  const Root = Component({ selector: 'app-root', template })(Page);
  const providers = [provideZonelessChangeDetection(), provideServerRendering(), provideFakeAiService(model, { tools: [look] })];
  const bootstrap = (context: BootstrapContext): Promise<ApplicationRef> => bootstrapApplication(Root, { providers }, context);
  const html = await renderApplication(bootstrap, { document: '<html><body><app-root></app-root></body></html>' });
  return { paragraphs: Array.from(html.matchAll(/<p>(.*?)<\/p>/g), ([, text]) => text), model, chat: chat! };
}

describe('a page that a server renders', () => {
  it('asks nothing, and is there at once', async () => {
    const { paragraphs, model } = await rendered(false);
    expect(paragraphs).toEqual(['idle: ', 'idle: ']);
    expect(model.requests).toEqual([]);
  });

  it('waits for answers that are to be in it, and takes the rest down with it', async () => {
    const { paragraphs, model, chat } = await rendered(true);
    expect(paragraphs.sort()).toEqual(['idle: It is fine.', 'resolved: is!']);
    expect(model.requests).toHaveLength(2);
    expect(model.subscriptions().every((span) => span.includes('!'))).toBe(true);
    // The page is gone: nothing more is asked.
    chat.send('And now?');
    expect(model.requests).toHaveLength(2);
  });
});
