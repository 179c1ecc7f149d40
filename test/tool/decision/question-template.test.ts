import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../../src/chat/configuration-error.ts';
import { questionTemplate } from '../../../src/tool/decision/question-template.ts';
import { spec } from '../search/support.ts';

const question = (template: string | undefined, name: string, description?: string) =>
  questionTemplate('test', template)(spec(name, description));

describe('the question about a tool', () => {
  it('names the tool and what it does', () => {
    expect(question(undefined, 'get_weather', 'Tells the weather.')).toMatch(/get_weather[^]*Tells the weather\.$/);
    expect(question('{{toolName}}? {{ toolDescription }} {{toolName}}!', 'a', 'b')).toBe('a? b a!');
  });

  it('is complete without a description', () => {
    expect(question('Use {{toolName}}? {{toolDescription}}', 'a')).toBe('Use a?');
    expect(question(undefined, 'a')).not.toMatch(/undefined|\{\{/);
  });

  it('takes names and descriptions as they are, whatever they hold', () => {
    expect(question('{{toolName}}: {{toolDescription}}', '$&', '{{toolName}} $1 {{foo}}')).toBe('$&: {{toolName}} $1 {{foo}}');
  });

  it.each([
    ['Is it good?', /must be a text with \{\{toolName\}\}/],
    ['{{toolDescription}}', /must be a text with \{\{toolName\}\}/],
    ['{toolName}', /must be a text with \{\{toolName\}\}/],
    ['', /must be a text with \{\{toolName\}\}/],
    [42, /must be a text with \{\{toolName\}\}/],
    ['{{toolName}} {{name}}', /there is no \{\{name\}\}, only/],
    ['{{toolName}} {{constructor}}', /there is no \{\{constructor\}\}/],
  ])('can not be made from %j', (template, message) => {
    const make = () => questionTemplate('test', template as string);
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(message);
  });
});
