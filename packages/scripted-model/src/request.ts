import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import {
  isRecord,
  type JsonObject,
  listOf,
  type Payload,
  recordOf,
  recordsIn,
  textOf,
  type WireKey,
} from '@agentclash/domain';
import type { OfferedTool, ScriptedRequest } from './behaviour.js';

/** Where each API is served, with and without the version. */
const PATHS: readonly [RegExp, WireKey][] = [
  [/\/messages$/, 'anthropic'],
  [/\/chat\/completions$/, 'chat'],
  [/\/responses$/, 'responses'],
  [/\/models\/[^/:]+:(?:g|streamG)enerateContent$/, 'google'],
];

export function wireOf(pathname: string): WireKey | undefined {
  return PATHS.find(([path]) => path.test(pathname))?.[1];
}

/** The JSON object of a request; undefined for any other body. */
export async function readBody(incoming: IncomingMessage): Promise<JsonObject | undefined> {
  const chunks: Buffer[] = await incoming.toArray();
  try {
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString() || '{}');
    return isRecord(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

interface ReceivedRequest {
  wire: WireKey;
  path: string;
  headers: IncomingHttpHeaders;
  body: JsonObject;
}

export function scriptedRequest({ wire, path, headers, body }: ReceivedRequest): ScriptedRequest {
  const text = JSON.stringify(body);
  const [, ofPath = ''] = /\/models\/([^/:]+):/.exec(path) ?? [];
  return {
    wire,
    path,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    model: textOf(body.model) || decodeURIComponent(ofPath),
    isStream: wire === 'google' ? path.includes(':stream') : body.stream === true,
    tools: toolsOf(body),
    resultCount: resultCountOf(body),
    body,
    contains: (part) => text.includes(JSON.stringify(part).slice(1, -1)),
  };
}

function toolsOf(body: Payload): OfferedTool[] {
  // The newest models of Codex have their tools in the conversation.
  const inInput = listOf(body.input)
    .filter(isRecord)
    .filter(({ type }) => type === 'additional_tools')
    .flatMap((item) => recordsIn(item, 'tools'));
  return [...recordsIn(body, 'tools'), ...inInput].flatMap((tool) => offered(tool));
}

function offered(tool: Payload, namespace?: string): OfferedTool[] {
  const declarations = [
    ...recordsIn(tool, 'functionDeclarations'),
    ...recordsIn(tool, 'function_declarations'),
  ];
  if (declarations.length > 0) return declarations.flatMap((each) => offered(each));
  if (tool.type === 'namespace')
    return recordsIn(tool, 'tools').flatMap((each) => offered(each, textOf(tool.name)));
  const named = isRecord(tool.function) ? tool.function : tool;
  const name = textOf(named.name);
  if (name === '') return [];
  const schemas = ['parameters', 'input_schema', 'parametersJsonSchema'].map((key) => recordOf(named[key]));
  return [
    {
      name,
      kind: tool.type === 'custom' ? 'custom' : 'function',
      ...(namespace !== undefined && { namespace }),
      parameters: (schemas.find((schema) => Object.keys(schema).length > 0) ?? {}) as JsonObject,
    },
  ];
}

function resultCountOf(body: Payload): number {
  const messages = recordsIn(body, 'messages');
  const results = [
    ...messages.filter(({ role }) => role === 'tool'),
    ...messages.flatMap((message) =>
      recordsIn(message, 'content').filter(({ type }) => type === 'tool_result'),
    ),
    ...recordsIn(body, 'input').filter(({ type }) => textOf(type).endsWith('_call_output')),
    ...recordsIn(body, 'contents').flatMap((content) =>
      recordsIn(content, 'parts').filter((part) => isRecord(part.functionResponse)),
    ),
  ];
  return results.length;
}
