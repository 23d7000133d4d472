import type { AcpMessage, AcpResult, AcpUpdate } from '../replies/acp-message.js';
import { type LineFailure, LineReader, type LineReaderOptions } from '../replies/line-reader.js';
import type { RpcError } from '../replies/rpc-message.js';

/** The result of a request, the agent's error, or the end of the connection. */
export type AcpResponse =
  | { result: AcpResult }
  | { error: Pick<RpcError, 'code' | 'message'> }
  | { closed: true };

export interface AcpHandlers {
  /** Sends one line, with its line break. */
  write(line: string): void;
  onUpdate(update: AcpUpdate): void;
  /** The connection is closed. */
  onFailure(failure: LineFailure): void;
}

const METHOD_NOT_FOUND = -32_601;

/** JSON-RPC 2.0 over the standard streams of an agent, one message a line. Lines that are no message are left out. */
export class AcpConnection {
  private readonly waiting = new Map<number, (response: AcpResponse) => void>();
  private readonly lines: LineReader<AcpMessage>;
  private nextId = 1;
  private isClosed = false;

  constructor(
    private readonly handlers: AcpHandlers,
    options: Pick<LineReaderOptions<AcpMessage>, 'lineBytesMax' | 'read' | 'unreadBytesMax'>,
  ) {
    this.lines = new LineReader({
      ...options,
      onMessage: (message) => this.onMessage(message),
      onFailure: (failure) => {
        this.close();
        handlers.onFailure(failure);
      },
    });
  }

  /** Never rejects. */
  request(method: string, params: object): Promise<AcpResponse> {
    if (this.isClosed) return Promise.resolve({ closed: true });
    const id = this.nextId++;
    const response = new Promise<AcpResponse>((resolve) => this.waiting.set(id, resolve));
    this.send({ id, method, params });
    return response;
  }

  /** Takes in output of the agent. */
  receive(chunk: Uint8Array): void {
    this.lines.take(chunk);
  }

  /** Closes when all output so far has been read. Never rejects. */
  async end(): Promise<void> {
    await this.lines.drained();
    this.close();
  }

  /** Every request under way, and every later one, has ended. Idempotent. */
  close(): void {
    this.isClosed = true;
    this.lines.stop();
    for (const resolve of this.waiting.values()) resolve({ closed: true });
    this.waiting.clear();
  }

  private onMessage(message: AcpMessage): void {
    if (message.kind === 'update') this.handlers.onUpdate(message);
    else if (message.kind === 'request') this.reply(message);
    else this.resolve(message);
  }

  private resolve(message: Extract<AcpMessage, { kind: 'error' | 'result' }>): void {
    const resolve = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    resolve?.(message.kind === 'result' ? { result: message } : { error: message });
  }

  private reply({ id, result }: Extract<AcpMessage, { kind: 'request' }>): void {
    if (result) this.send({ id, result });
    else this.send({ id, error: { code: METHOD_NOT_FOUND, message: 'the method is not offered' } });
  }

  private send(message: object): void {
    if (!this.isClosed) this.handlers.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
}
