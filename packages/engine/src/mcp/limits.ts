import { LIST_BYTES_MAX } from '../replies/mcp-message.js';

/** The limits of a server of tools; all of it is enforced here, whatever the server sends. */
export const MCP_LIMITS = {
  /** From its start to the end of its list. */
  startMs: 30_000,
  callMs: 60_000,
  /** Of the list that shows that nothing has changed. */
  relistMs: 5_000,
  closeMs: 2_000,
  messageBytes: 4 * 1024 * 1024,
  /** Messages that a command has written and that are not read yet. */
  unreadBytes: 8 * 1024 * 1024,
  /** Output of a command, in all. */
  outputBytes: 64 * 1024 * 1024,
  tools: 128,
  pages: 16,
  listBytes: LIST_BYTES_MAX,
  descriptionLength: 4_096,
  /** Of the name that an agent sees: more is refused by providers of models. */
  nameLength: 64,
  /** Requests of a server that are replied to. */
  requests: 100,
};
export type McpLimits = typeof MCP_LIMITS;
