import {
  COMMAND_WORDS_MAX,
  SERVER_FILES_MAX,
  SERVER_NAME,
  SERVER_NAME_FORM,
  SERVER_URL_LENGTH_MAX,
  SERVERS_MAX,
} from '@agentclash/domain';
import { z } from 'zod';
import { HeaderName, HeaderValue } from './http-headers.js';
import { PlainText, RelativePath, Uuid } from './values.js';

/** Members that only one of the two transports has. */
const OF_COMMAND = ['env', 'files'] as const;
const OF_URL = ['headers'] as const;

/**
 * A server of tools by MCP: a `command` (argv, no shell around it) in the sandbox, with `files` under /mcp/NAME, or a
 * `url`, called from outside of the sandbox; values of its `headers` may hold `${secrets.KEY}`.
 */
const McpServer = z
  .strictObject({
    name: z.string().regex(SERVER_NAME, `must be ${SERVER_NAME_FORM}`),
    command: z.array(z.string().min(1)).min(1).max(COMMAND_WORDS_MAX).optional(),
    env: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string()).optional(),
    files: z
      .array(z.strictObject({ path: RelativePath, artifact_id: Uuid }))
      .max(SERVER_FILES_MAX)
      .optional(),
    url: PlainText.min(1).max(SERVER_URL_LENGTH_MAX).optional(),
    headers: z.record(HeaderName, HeaderValue).optional(),
  })
  .superRefine((server, refused) => {
    const refuse = (field: string, message: string) =>
      refused.addIssue({ code: 'custom', path: [field], message });
    if (server.command === undefined && server.url === undefined)
      refuse('command', 'is required, or else url');
    if (server.command !== undefined && server.url !== undefined)
      refuse('command', 'conflicts with url: give one of them');
    if (server.command === undefined && server.url !== undefined) {
      for (const field of OF_COMMAND) if (server[field] !== undefined) refuse(field, 'is for a command');
    }
    if (server.url === undefined && server.command !== undefined) {
      for (const field of OF_URL) if (server[field] !== undefined) refuse(field, 'is for a url');
    }
  });
export type McpServer = z.infer<typeof McpServer>;

/** Servers of tools; an agent sees a tool as SERVER__TOOL. */
export const McpServers = z
  .array(McpServer)
  .max(SERVERS_MAX)
  .superRefine((servers, refused) => {
    const names = servers.map(({ name }) => name);
    names.forEach((name, index) => {
      if (names.indexOf(name) === index) return;
      refused.addIssue({ code: 'custom', path: [index, 'name'], message: `is the name of two servers` });
    });
  });
