import { searchTool, type SearchTool, type SearchToolOptions } from './search-tool.ts';

/** A search tool that takes one sentence. */
export function queryTool(where: string, options: SearchToolOptions): SearchTool<string> {
  return searchTool(where, options, 'Finds further tools that you can call, by what they do.', {
    name: 'query',
    schema: { type: 'string', description: 'What the tool should do, in a sentence.' },
  });
}
