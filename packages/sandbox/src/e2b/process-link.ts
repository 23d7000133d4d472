import type { InsideLink } from '../inside/wire.js';
import type { LinkEnd } from '../remote/remote-sandbox.js';
import type { Envd, ProcessEvent } from './envd.js';

const BATCH_BYTES_MAX = 1 << 20;

/** A process in a sandbox of the service, as a link to the process inside. */
export class ProcessLink implements InsideLink {
  readonly ended: Promise<LinkEnd>;
  #listener: ((bytes: Buffer) => void) | undefined;
  #detail = '';
  #pid: number | undefined;
  #waiting: Buffer[] = [];
  #isSending = false;
  readonly #stopped = new AbortController();

  constructor(
    private readonly envd: Envd,
    argv: readonly [string, ...string[]],
    private readonly onKill: () => void,
  ) {
    const [cmd, ...args] = argv;
    this.ended = this.#follow(envd.start({ cmd, args, user: 'user', signal: this.#stopped.signal }));
  }

  send(bytes: Buffer): void {
    this.#waiting.push(bytes);
    void this.#pump();
  }

  onBytes(listener: (bytes: Buffer) => void): void {
    this.#listener = listener;
  }

  kill(): void {
    this.close();
    this.onKill();
  }

  close(): void {
    this.#stopped.abort();
  }

  async #follow(events: AsyncIterable<ProcessEvent>): Promise<LinkEnd> {
    try {
      for await (const { start, data, end } of events) {
        if (start) this.#pid = start.pid;
        if (start) void this.#pump();
        if (data?.stdout) this.#listener?.(Buffer.from(data.stdout, 'base64'));
        if (data?.stderr) this.#detail += Buffer.from(data.stderr, 'base64').toString().slice(0, 1_000);
        if (end) return { exitCode: end.exitCode ?? 0, detail: this.#detail };
      }
      return { exitCode: undefined, detail: `${this.#detail} the stream ended` };
    } catch (error) {
      return { exitCode: undefined, detail: `${this.#detail} ${String(error)}` };
    }
  }

  /** One request at a time: the service promises no order between two. */
  async #pump(): Promise<void> {
    if (this.#isSending || this.#pid === undefined || this.#stopped.signal.aborted) return;
    this.#isSending = true;
    try {
      while (this.#waiting.length > 0) await this.envd.sendInput(this.#pid, this.#batch());
    } catch (error) {
      this.#detail += String(error);
      this.close();
    } finally {
      this.#isSending = false;
    }
  }

  #batch(): Buffer {
    let [bytes, count] = [0, 0];
    for (const chunk of this.#waiting) {
      bytes += chunk.length;
      if (count > 0 && bytes > BATCH_BYTES_MAX) break;
      count++;
    }
    return Buffer.concat(this.#waiting.splice(0, count));
  }
}
