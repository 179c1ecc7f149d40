import type { Type } from '@angular/core';

export interface Page {
  readonly path: string;
  readonly title: string;
  /** Pages are loaded when somebody goes there. */
  readonly load: () => Promise<Type<unknown>>;
}

const chat: Page = { path: '/', title: 'Chat', load: () => import('./chat/chat-page').then(({ ChatPage }) => ChatPage) };
const about: Page = {
  path: '/about',
  title: 'About',
  load: () => import('./about/about-page').then(({ AboutPage }) => AboutPage),
};
const quick: Page = {
  path: '/quick',
  title: 'Quick',
  load: () => import('./quick/quick-chat').then(({ QuickChat }) => QuickChat),
};

export const pages: readonly Page[] = [chat, quick, about];

export function pageAt(path: string): Page {
  return pages.find((page) => page.path === path) ?? chat;
}
