import { isUtf8 } from 'node:buffer';
import type { JsonObject } from '@agentclash/challengepack';
import { CREDENTIAL_HEADERS, EgressError, type EgressResult } from '@agentclash/egress';
import { MARK, type Redactor } from '@agentclash/redaction';
import { z } from 'zod';
import { ToolError } from '../outcome/tool-error.js';
import type { SecretUse } from '../secrets/secret-use.js';
import { definePrimitive, type PrimitiveContext } from './primitive.js';
import { stopCanaries } from './stop-canaries.js';

const TIMEOUT_SECONDS = { normal: 30, max: 60 };
export const httpRequest = definePrimitive({
  description:
    'Send an HTTP request. Any status is a result; only addresses that the policy admits are reached.',
  shape: z.strictObject({
    method: z.string().describe('GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS.'),
    url: z.string(),
    headers: z.record(z.string(), z.string()).optional(),
    body: z.string().optional(),
    timeout_seconds: z.number().positive().optional().describe('Default 30, at most 60.'),
    output_path: z.string().optional().describe('Write the response body to this file.'),
  }),
  mainFields: ['body'],
  run: async (args, context) => {
    const { method, url, headers, body, output_path, timeout_seconds = TIMEOUT_SECONDS.normal } = args;
    const result = await send(context, {
      method,
      url,
      ...(headers && { headers }),
      ...(body !== undefined && { body }),
      timeoutMs: Math.min(timeout_seconds, TIMEOUT_SECONDS.max) * 1_000,
      ...secretFields(context.secrets),
    });
    const seen = {
      status_code: result.status,
      headers: redactHeaders(result.headers, context.redactor),
      url: result.url,
    };
    if (output_path === undefined) return { ...seen, ...bodyFields(result.body, context.redactor) };
    const roots = context.filesystem.writable_roots;
    const { bytes } = await context.sandbox.writeFile(output_path, context.redactor.bytes(result.body), {
      roots,
    });
    return { ...seen, output_path, bytes_downloaded: bytes };
  },
});

type Request = Omit<Parameters<PrimitiveContext['egress']['request']>[0], 'policy' | 'signal' | 'onHop'>;

async function send(context: PrimitiveContext, request: Request): Promise<EgressResult> {
  const { egress, events, networkAllowlist, remainingMs, signal, toolCallId } = context;
  stopCanaries(request, context);
  try {
    return await egress.request({
      ...request,
      timeoutMs: Math.max(1, Math.min(request.timeoutMs ?? Number.POSITIVE_INFINITY, remainingMs())),
      policy: { kind: 'pack', allowlist: networkAllowlist },
      signal,
      onHop: ({ event_type, payload }) => {
        if (event_type === 'network.request.completed') {
          events.record(event_type, { tool_call_id: toolCallId, ...payload });
        } else {
          events.record(event_type, { tool_call_id: toolCallId, ...payload });
        }
      },
    });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof EgressError) throw new ToolError(error.code, error.message);
    throw error;
  }
}

/** Marks the parts of the request that hold secrets, so that no redirect carries them further than they may go. */
function secretFields(secrets: SecretUse): Pick<Request, 'secretHeaders' | 'secretBody' | 'secretOrigins'> {
  const pointers = [...secrets.keys()];
  const bound = [...secrets.values()].flat().flatMap(({ origins }) => (origins === null ? [] : [origins]));
  return {
    secretHeaders: pointers
      .filter((pointer) => pointer.startsWith('/headers/'))
      .map((pointer) => pointer.slice('/headers/'.length).replaceAll('~1', '/').replaceAll('~0', '~')),
    secretBody: secrets.has('/body'),
    secretOrigins: bound,
  };
}

/** Binary data is redacted before it is encoded: afterwards values could not be found. */
function bodyFields(body: Uint8Array, redactor: Redactor): JsonObject {
  const bytes = Buffer.from(body);
  if (isUtf8(bytes)) return { body: bytes.toString(), body_bytes: bytes.length };
  const encoded = Buffer.from(redactor.bytes(bytes)).toString('base64');
  return { body: encoded, body_bytes: bytes.length, body_encoding: 'base64' };
}

const HIDDEN = new Set([...CREDENTIAL_HEADERS, 'set-cookie', 'www-authenticate']);

/** Response headers as an agent may see them: those that carry credentials are hidden whole. */
export function redactHeaders(
  headers: Readonly<Record<string, string>>,
  redactor: Redactor,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      redactor.text(name),
      HIDDEN.has(name.toLowerCase()) ? MARK : redactor.text(value),
    ]),
  );
}
