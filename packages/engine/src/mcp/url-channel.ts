import {
  argumentLookup,
  fillTemplate,
  type JsonObject,
  mapOpaque,
  secretKeysOf,
} from '@agentclash/challengepack';
import type { Payload } from '@agentclash/domain';
import {
  ByteBuffer,
  type Egress,
  EgressError,
  type EgressErrorCode,
  type EgressStream,
} from '@agentclash/egress';
import type { Secret } from '@agentclash/redaction';
import type { AttemptEvents } from '../events/attempt-events.js';
import { unlessAborted } from '../outcome/attempt-end.js';
import { EventSplitter } from '../replies/event-splitter.js';
import type { McpResult, McpServerMessage } from '../replies/mcp-message.js';
import type { ReadReply, ReplyForm, ReplyReader, ReplyTask } from '../replies/read-reply.js';
import type { OpenedSecrets } from '../secrets/opened-secrets.js';
import { LIST_CHANGED, type McpChannel, McpFailure, type RequestBounds, refusedRequest } from './channel.js';
import type { McpLimits } from './limits.js';

export interface UrlChannelOptions {
  url: string;
  /** Values may hold `${secrets.KEY}`. */
  headers: Readonly<Record<string, string>>;
  egress: Pick<Egress, 'open'>;
  networkAllowlist: readonly string[];
  secrets: OpenedSecrets;
  events: AttemptEvents;
  readReplies: ReplyReader;
  limits: McpLimits;
  onListChanged: () => void;
}

type Headers = Readonly<Record<string, string>>;
type Result = { result: McpResult } | undefined;

/** A server at a URL: streamable HTTP through the guarded client, by the rules of the pack's network. */
export class UrlChannel implements McpChannel {
  private lastId = 0;
  private session: Headers = {};

  constructor(private readonly options: UrlChannelOptions) {}

  async request(method: string, params: Payload, bounds: RequestBounds): Promise<McpResult> {
    const id = ++this.lastId;
    const stream = await this.send('POST', bounds, { jsonrpc: '2.0', id, method, params });
    try {
      if (stream.status < 200 || stream.status > 299) {
        const { status } = stream;
        const isPermanent = status < 500 && !TRANSIENT_STATUSES.has(status);
        throw new McpFailure('refused', `the server replied with status ${status}`, isPermanent);
      }
      const reply = await this.result(stream, id, bounds.signal);
      if (reply === undefined) throw new McpFailure('malformed', 'the reply holds no result');
      if (method === 'initialize') this.begin(stream, reply.result);
      return reply.result;
    } catch (error) {
      throw failureOf(error, bounds.signal);
    } finally {
      stream.close();
    }
  }

  async notify(method: string, bounds: RequestBounds): Promise<void> {
    (await this.send('POST', bounds, { jsonrpc: '2.0', method })).close();
  }

  async close(): Promise<void> {
    const timeoutMs = this.options.limits.closeMs;
    if (this.session['mcp-session-id'] === undefined) return;
    const bounds = { timeoutMs, signal: AbortSignal.timeout(timeoutMs) };
    await this.send('DELETE', bounds).then(
      (stream) => stream.close(),
      () => undefined,
    );
  }

  /** A server may name a session, and every further request names the version. */
  private begin({ headers }: EgressStream, { protocolVersion }: McpResult): void {
    const session = headers['mcp-session-id'];
    this.session = {
      ...(session !== undefined && { 'mcp-session-id': session }),
      ...(protocolVersion !== undefined && { 'mcp-protocol-version': protocolVersion }),
    };
  }

  private async send(
    method: 'POST' | 'DELETE',
    bounds: RequestBounds,
    body?: Payload,
  ): Promise<EgressStream> {
    const { egress, url, networkAllowlist, limits, secrets, events } = this.options;
    const { signal, timeoutMs, toolCallId } = bounds;
    const keys = Object.values(this.options.headers).flatMap(secretKeysOf);
    const opened = keys.length === 0 ? new Map<string, Secret>() : await secrets.open(keys, signal);
    const origins = [...opened.values()].flatMap((secret) =>
      secret.origins === null ? [] : [secret.origins],
    );
    const call = toolCallId === undefined ? {} : { tool_call_id: toolCallId };
    try {
      return await egress.open({
        method,
        url,
        headers: {
          ...(body && { 'content-type': 'application/json' }),
          accept: 'application/json, text/event-stream',
          ...this.session,
          ...filled(this.options.headers, opened),
        },
        ...(body && { body: JSON.stringify(body) }),
        policy: { kind: 'pack', allowlist: networkAllowlist },
        timeoutMs,
        maxBytes: limits.messageBytes,
        secretHeaders: Object.entries(this.options.headers).flatMap(([name, value]) =>
          secretKeysOf(value).length > 0 ? [name] : [],
        ),
        secretOrigins: origins,
        signal,
        onHop: ({ event_type, payload }) => {
          if (event_type === 'network.request.completed') events.record(event_type, { ...call, ...payload });
          else events.record(event_type, { ...call, ...payload });
        },
      });
    } catch (error) {
      throw failureOf(error, signal);
    }
  }

  /** The result with this id: of one JSON message, or of one of a stream. */
  private async result({ headers, body }: EgressStream, id: number, signal: AbortSignal): Promise<Result> {
    const type = headers['content-type'] ?? '';
    if (/^text\/event-stream\b/i.test(type)) return await this.fromStream(body, id, signal);
    const whole = new ByteBuffer();
    for await (const chunk of body) whole.append(chunk);
    const message = await this.read({ form: 'mcp_message', bytes: whole.bytes }, signal);
    return this.receive([message], id);
  }

  private async fromStream(
    body: AsyncIterable<Uint8Array>,
    id: number,
    signal: AbortSignal,
  ): Promise<Result> {
    const events = new EventSplitter();
    for await (const chunk of body) {
      const bytes = events.take(chunk);
      if (bytes === undefined) continue;
      const result = this.receive(await this.read({ form: 'mcp_events', bytes }, signal), id);
      if (result) return result;
    }
    return undefined;
  }

  private async read<F extends ReplyForm>(task: ReplyTask<F>, signal: AbortSignal): Promise<ReadReply<F>> {
    const read = await unlessAborted(this.options.readReplies(task, { signal }), signal);
    if (read !== 'overrun') return read;
    throw new McpFailure('malformed', 'the reply takes too much time or memory to read', false);
  }

  private receive(messages: readonly McpServerMessage[], id: number): Result {
    for (const message of messages) {
      if (message.kind === 'invalid') {
        throw new McpFailure('malformed', 'the reply is no message of JSON-RPC in UTF-8');
      }
      if (message.kind === 'notification' && message.method === LIST_CHANGED) this.options.onListChanged();
      if ((message.kind !== 'result' && message.kind !== 'error') || message.id !== id) continue;
      if (message.kind === 'result') return message;
      throw refusedRequest(message);
    }
    return undefined;
  }
}

function filled(headers: Headers, opened: ReadonlyMap<string, Secret>): Record<string, string> {
  const template = fillTemplate({ ...headers }, argumentLookup({}));
  const plain: JsonObject = mapOpaque(template, (text) =>
    text.reveal((key) => opened.get(key)?.reveal() ?? ''),
  ) as JsonObject;
  return Object.fromEntries(Object.entries(plain).map(([name, value]) => [name, String(value)]));
}

/** Request Timeout, Too Early, Too Many Requests. */
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);

/** Depend on the network and the server's machine; every other one on the policy and the request alone. */
const TRANSIENT_EGRESS: ReadonlySet<EgressErrorCode> = new Set([
  'response_failed',
  'timeout',
  'aborted',
  'dns_failed',
  'connect_failed',
  'tls_failed',
]);

const EGRESS_FAILURES: Partial<Record<string, ConstructorParameters<typeof McpFailure>[0]>> = {
  timeout: 'timeout',
  response_too_large: 'too_large',
};

/** The failure that an error means; what ends the attempt stays as it is. */
function failureOf(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof EgressError) {
    const code = EGRESS_FAILURES[error.code] ?? 'unreachable';
    return new McpFailure(code, `no connection: ${error.message}`, !TRANSIENT_EGRESS.has(error.code));
  }
  return error;
}
