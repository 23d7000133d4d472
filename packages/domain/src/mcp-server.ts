/** Servers of tools by MCP: the limits and names that packs and deployments have in common. */

/** The name of a server is a folder below /mcp, and the beginning of the names of its tools. */
export const SERVER_NAME = /^[A-Za-z][A-Za-z0-9-]{0,23}$/;
export const SERVER_NAME_FORM = '1 to 24 of A to Z, a to z, digits and -, beginning with a letter';
export const SERVERS_MAX = 8;
/** Of one server. */
export const SERVER_FILES_MAX = 200;
/** Words of one command. */
export const COMMAND_WORDS_MAX = 256;
export const SERVER_URL_LENGTH_MAX = 8_192;

export const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;
export const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
export const HEADER_VALUE_LENGTH_MAX = 8_192;

/** The name by which an agent calls a tool of a server. */
export function serverToolName(server: string, tool: string): string {
  return `${server}__${tool}`;
}

/** The server that has a name of this form; undefined for another one. */
export function serverOfTool(name: string): string | undefined {
  const [, server] = /^([A-Za-z][A-Za-z0-9-]{0,23})__/.exec(name) ?? [];
  return server;
}
