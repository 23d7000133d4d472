import { isRecord, numberIn, type Payload, recordOf, textIn } from '@agentclash/domain';
import { untrustedJson } from './untrusted-json.js';

/** The result of a request, the agent's error, or the end of the connection. */
export type AcpResponse =
  | { result: Payload }
  | { error: { code: number | undefined; message: string } }
  | { closed: true };

export interface AcpHandlers {
  /** Sends one line, with its line break. */
  write(line: string): void;
  /** The result of a request of the agent; undefined for a method that is not offered. */
  onRequest(method: string, params: Payload): object | undefined;
  onNotification(method: string, params: Payload): void;
}

const METHOD_NOT_FOUND = -32_601;
const LINE_BREAK = 0x0a;

/** JSON-RPC 2.0 over the standard streams of an agent, one message a line. Lines that are no message are left out. */
export class AcpConnection {
  private readonly waiting = new Map<number, (response: AcpResponse) => void>();
  private line: Uint8Array[] = [];
  private lineBytes = 0;
  private nextId = 1;
  private isClosed = false;

  constructor(
    private readonly handlers: AcpHandlers,
    private readonly lineBytesMax: number,
  ) {}

  /** Never rejects. */
  request(method: string, params: object): Promise<AcpResponse> {
    if (this.isClosed) return Promise.resolve({ closed: true });
    const id = this.nextId++;
    const response = new Promise<AcpResponse>((resolve) => this.waiting.set(id, resolve));
    this.send({ id, method, params });
    return response;
  }

  /** Takes in output of the agent. False: a line is longer than allowed. */
  receive(chunk: Uint8Array): boolean {
    if (this.isClosed) return true;
    let start = 0;
    for (let end = chunk.indexOf(LINE_BREAK); end >= 0; end = chunk.indexOf(LINE_BREAK, start)) {
      if (!this.extend(chunk.subarray(start, end))) return false;
      this.endLine();
      start = end + 1;
    }
    return this.extend(chunk.subarray(start));
  }

  /** Every request under way, and every later one, has ended. Idempotent. */
  close(): void {
    this.isClosed = true;
    for (const resolve of this.waiting.values()) resolve({ closed: true });
    this.waiting.clear();
  }

  private extend(bytes: Uint8Array): boolean {
    this.lineBytes += bytes.length;
    if (this.lineBytes > this.lineBytesMax) return false;
    if (bytes.length > 0) this.line.push(bytes);
    return true;
  }

  private endLine(): void {
    const line = Buffer.concat(this.line);
    this.line = [];
    this.lineBytes = 0;
    const message = line.length === 0 ? undefined : untrustedJson(line);
    if (isRecord(message)) this.onMessage(message);
  }

  private onMessage(message: Payload): void {
    const method = textIn(message, 'method');
    if (method === undefined) this.onResponse(message);
    else if (isId(message.id)) this.onRequest(message.id, method, recordOf(message.params));
    else this.handlers.onNotification(method, recordOf(message.params));
  }

  private onResponse(message: Payload): void {
    const id = numberIn(message, 'id');
    const resolve = id === undefined ? undefined : this.waiting.get(id);
    if (id === undefined || resolve === undefined) return;
    this.waiting.delete(id);
    const { error, result } = message;
    if (!isRecord(error)) resolve({ result: recordOf(result) });
    else resolve({ error: { code: numberIn(error, 'code'), message: textIn(error, 'message') ?? '' } });
  }

  private onRequest(id: number | string, method: string, params: Payload): void {
    const result = this.handlers.onRequest(method, params);
    if (result) this.send({ id, result });
    else this.send({ id, error: { code: METHOD_NOT_FOUND, message: 'the method is not offered' } });
  }

  private send(message: object): void {
    if (!this.isClosed) this.handlers.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
}

/** Longer ids are no ids: they return with the response. */
const ID_LENGTH_MAX = 1_024;

function isId(id: unknown): id is number | string {
  return typeof id === 'number' || (typeof id === 'string' && id.length <= ID_LENGTH_MAX);
}
