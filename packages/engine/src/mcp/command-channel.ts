import { PassThrough } from 'node:stream';
import { formatBytes, type Payload } from '@agentclash/domain';
import type { Clock } from '../clock.js';
import { AttemptEnded, unlessAborted } from '../outcome/attempt-end.js';
import { ToolError } from '../outcome/tool-error.js';
import { type LineFailure, LineReader } from '../replies/line-reader.js';
import type { McpResult, McpServerMessage } from '../replies/mcp-message.js';
import type { ReplyReader } from '../replies/read-reply.js';
import { type AttemptSandbox, tailText } from '../sandbox/attempt-sandbox.js';
import { LIST_CHANGED, type McpChannel, McpFailure, type RequestBounds, refusedRequest } from './channel.js';
import type { McpLimits } from './limits.js';

/** A command lives as long as its sandbox at most. */
const LIFE_MS = 24 * 60 * 60_000;
const STDERR_BYTES = 300;

export interface CommandChannelOptions {
  sandbox: (signal: AbortSignal) => Pick<AttemptSandbox, 'exec'>;
  command: readonly string[];
  env: Readonly<Record<string, string>>;
  readReplies: ReplyReader;
  clock: Pick<Clock, 'sleep'>;
  limits: McpLimits;
  onListChanged: () => void;
}

interface Waiting {
  resolve: (result: McpResult) => void;
  reject: (error: McpFailure) => void;
}

/** A server that is a command in the sandbox: one message per line, by its standard input and output. */
export class CommandChannel implements McpChannel {
  private readonly waiting = new Map<number, Waiting>();
  private readonly input = new PassThrough();
  private readonly stopped = new AbortController();
  private readonly ended: Promise<void>;
  private failure: McpFailure | undefined;
  private readonly lines: LineReader<McpServerMessage>;
  private outputBytes = 0;
  private requests = 0;
  private lastId = 0;
  private stderr = Buffer.alloc(0);

  constructor(private readonly options: CommandChannelOptions) {
    const { limits, readReplies } = options;
    this.lines = new LineReader({
      lineBytesMax: limits.messageBytes,
      unreadBytesMax: limits.unreadBytes,
      read: (bytes, signal) => readReplies({ form: 'mcp_lines', bytes }, { signal }),
      onMessage: (message) => this.receive(message),
      onFailure: (failure) => this.fail(failureOf(failure, limits)),
    });
    this.ended = this.run();
  }

  async request(method: string, params: Payload, { timeoutMs, signal }: RequestBounds): Promise<McpResult> {
    signal.throwIfAborted();
    // The request that broke the connection has the cause; to all others the server is gone.
    if (this.failure) {
      throw new McpFailure('unreachable', this.failure.message, this.failure.isPermanent);
    }
    const id = ++this.lastId;
    const done = new AbortController();
    const reply = new Promise<McpResult>((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    const late = this.options.clock.sleep(timeoutMs, done.signal).then(() => {
      throw new McpFailure('timeout', `the server did not reply within ${timeoutMs / 1_000} s`);
    });
    late.catch(() => undefined);
    this.send({ jsonrpc: '2.0', id, method, params });
    try {
      return await unlessAborted(Promise.race([reply, late]), signal);
    } finally {
      done.abort();
      this.waiting.delete(id);
      reply.catch(() => undefined);
    }
  }

  async notify(method: string): Promise<void> {
    this.send({ jsonrpc: '2.0', method });
  }

  async close(): Promise<void> {
    this.input.end();
    const done = new AbortController();
    await Promise.race([
      this.ended,
      this.options.clock.sleep(this.options.limits.closeMs, done.signal).catch(() => undefined),
    ]);
    done.abort();
    this.stop();
    await this.ended;
  }

  private send(message: Payload): void {
    if (!this.failure && this.input.writable) this.input.write(`${JSON.stringify(message)}\n`);
  }

  private async run(): Promise<void> {
    const { sandbox, command, env, limits } = this.options;
    try {
      const { exitCode, signal } = await sandbox(this.stopped.signal).exec(command, {
        stdin: this.input,
        env,
        timeoutMs: LIFE_MS,
        outputBytesMax: limits.outputBytes,
        tailBytes: 0,
        onStdout: (chunk) => this.take(chunk),
        onStderr: (chunk) => this.takeError(chunk),
      });
      await this.lines.drained();
      const message = `the command ended with ${exitCode}${this.words()}`;
      this.fail(new McpFailure('unreachable', message, signal === undefined && exitCode < 128));
    } catch (error) {
      const reason = error instanceof ToolError ? `: ${error.code}` : '';
      this.fail(new McpFailure('unreachable', `the command does not run${reason}`));
    }
  }

  /** The end of its standard error, where a server writes the cause of its end. */
  private words(): string {
    const text = tailText(this.stderr, STDERR_BYTES).trim();
    return text === '' ? '' : `: ${text}`;
  }

  private takeError(chunk: Uint8Array): void {
    this.stderr = Buffer.concat([this.stderr, chunk]).subarray(-STDERR_BYTES);
    this.countOutput(chunk);
  }

  private countOutput(chunk: Uint8Array): void {
    this.outputBytes += chunk.byteLength;
    if (this.outputBytes >= this.options.limits.outputBytes) {
      this.fail(new McpFailure('too_large', 'the server wrote more than it may'));
    }
  }

  private take(chunk: Uint8Array): void {
    this.countOutput(chunk);
    this.lines.take(chunk);
  }

  private receive(message: McpServerMessage): void {
    if (message.kind === 'invalid') {
      this.fail(new McpFailure('malformed', 'a line is no message of JSON-RPC in UTF-8'));
    } else if (message.kind === 'result') {
      this.waiting.get(message.id)?.resolve(message.result);
    } else if (message.kind === 'error') {
      this.waiting.get(message.id)?.reject(refusedRequest(message));
    } else if (message.kind === 'request') {
      this.reply(message);
    } else if (message.method === LIST_CHANGED) {
      this.options.onListChanged();
    }
  }

  /** A client without capabilities serves `ping` only. */
  private reply({ id, method }: Extract<McpServerMessage, { kind: 'request' }>): void {
    this.requests += 1;
    if (this.requests > this.options.limits.requests) return;
    const body =
      method === 'ping' ? { result: {} } : { error: { code: -32_601, message: 'There is no such method.' } };
    this.send({ jsonrpc: '2.0', id, ...body });
  }

  private fail(failure: McpFailure): void {
    if (this.failure) return;
    this.failure = failure;
    for (const { reject } of this.waiting.values()) reject(failure);
    this.stop();
  }

  private stop(): void {
    this.lines.stop();
    this.input.destroy();
    this.stopped.abort(new AttemptEnded({ because: 'cancelled' }));
  }
}

function failureOf(failure: LineFailure, { messageBytes }: McpLimits): McpFailure {
  switch (failure) {
    case 'line':
      return new McpFailure('too_large', `a message has more than ${formatBytes(messageBytes)}`);
    case 'unread':
      return new McpFailure('too_large', 'the server writes faster than its messages are read', false);
    case 'overrun':
      return new McpFailure('malformed', 'a message takes too much time or memory to read', false);
    case 'unreadable':
      return new McpFailure('malformed', 'a message cannot be read', false);
  }
}
