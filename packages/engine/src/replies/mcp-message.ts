import { isRecord, listOf, type Payload, recordOf, textIn } from '@agentclash/domain';
import { createParser } from 'eventsource-parser';
import { linesOf, type RpcError, type RpcId, readRpcMessage } from './rpc-message.js';

/** The members of results that the platform uses. */
export interface McpResult {
  protocolVersion: string | undefined;
  info: { name: string; version: string };
  /** A page of tools. */
  list: { count: number; bytes: number; tools: readonly unknown[] } | undefined;
  nextCursor: string | undefined;
  /** Of a call of a tool, as an agent receives it. */
  output: { text: string; isError: boolean };
}

/** A message of an MCP server, without the members that the platform does not use: small, whatever the server sends. */
export type McpServerMessage =
  | { kind: 'result'; id: number; result: McpResult }
  | RpcError
  | { kind: 'request'; id: RpcId; method: string }
  | { kind: 'notification'; method: string }
  | { kind: 'invalid' };

const INVALID: McpServerMessage = { kind: 'invalid' };
/** Of a page of tools as JSON; of a longer one, the tools are left out. */
export const LIST_BYTES_MAX = 256 * 1024;
const INFO_LENGTH_MAX = 200;

/** Reads messages of a server, one a line, up to the first that is none. Pure. */
export function readMcpLines(bytes: Uint8Array): McpServerMessage[] {
  const messages: McpServerMessage[] = [];
  for (const line of linesOf(bytes)) {
    const message = readMcpMessage(line);
    messages.push(message);
    if (message.kind === 'invalid') break;
  }
  return messages;
}

/** Reads messages of a server in whole server-sent events, up to the first that is none. Pure. */
export function readMcpEvents(bytes: Uint8Array): McpServerMessage[] {
  const text = textOf(bytes);
  if (text === undefined) return [INVALID];
  const messages: McpServerMessage[] = [];
  const parser = createParser({
    onEvent({ data }) {
      if (messages.at(-1)?.kind !== 'invalid') messages.push(readMcpMessage(Buffer.from(data)));
    },
  });
  // The parser expects more after a CR.
  parser.feed(`${text}\n`);
  return messages;
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Reads a message of a server. Pure. */
export function readMcpMessage(bytes: Uint8Array): McpServerMessage {
  const message = readRpcMessage(bytes);
  switch (message?.kind) {
    case 'result':
      return isRecord(message.result) ? { ...message, result: resultOf(message.result) } : INVALID;
    case 'request':
      return { kind: 'request', id: message.id, method: message.method };
    case 'notification':
      return { kind: 'notification', method: message.method };
    default:
      return message ?? INVALID;
  }
}

function resultOf(result: Payload): McpResult {
  const info = recordOf(result.serverInfo);
  return {
    protocolVersion: textIn(result, 'protocolVersion'),
    info: { name: infoText(info, 'name'), version: infoText(info, 'version') },
    list: Array.isArray(result.tools) ? listed(result.tools) : undefined,
    nextCursor: textIn(result, 'nextCursor'),
    output: { text: outputText(result), isError: result.isError === true },
  };
}

function infoText(info: Payload, key: string): string {
  return (textIn(info, key) ?? '').slice(0, INFO_LENGTH_MAX);
}

function listed(tools: readonly unknown[]): NonNullable<McpResult['list']> {
  const bytes = Buffer.byteLength(JSON.stringify(tools));
  return { count: tools.length, bytes, tools: bytes > LIST_BYTES_MAX ? [] : tools };
}

/** The texts of a result, and its other parts by their type. */
function outputText({ content, structuredContent }: Payload): string {
  const texts = listOf(content).map(partText);
  if (texts.length > 0 || !isRecord(structuredContent)) return texts.join('\n');
  return JSON.stringify(structuredContent);
}

function partText(part: unknown): string {
  if (!isRecord(part)) return '[part]';
  const resource = isRecord(part.resource) ? textIn(part.resource, 'text') : undefined;
  return textIn(part, 'text') ?? resource ?? `[${textIn(part, 'type') ?? 'part'}]`;
}
