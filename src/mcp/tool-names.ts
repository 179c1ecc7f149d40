import type { McpClient } from './mcp-client.ts';

/**
 * Gives the tools of several servers names that differ. A name that is taken gets the server's name before it, then a number behind it.
 *
 * A name that was given stays: a history with calls of `files_search` stays valid when the server that had `search` goes away.
 */
export function toolNames(): (client: McpClient, toolName: string, wanted: string) => string {
  const owners = new Map<string, string>();
  const places = new Map<McpClient, number>();
  return (client, toolName, wanted) => {
    if (!places.has(client)) places.set(client, places.size);
    const owner = JSON.stringify([places.get(client), toolName, wanted]);
    const isFree = (name: string) => (owners.get(name) ?? owner) === owner;
    const prefixed = `${prefixOf(client.name)}_${wanted}`;
    let name = isFree(wanted) ? wanted : prefixed;
    for (let number = 2; !isFree(name); number++) name = `${prefixed}_${number}`;
    owners.set(name, owner);
    return name;
  };
}

const prefixOf = (serverName: string): string => serverName.replace(/[^\w-]+/g, '_').slice(0, 32);
