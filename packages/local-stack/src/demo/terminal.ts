import { EXIT_CODES } from '@agentclash/domain';

const REPEAT_AFTER_MS = 10_000;

/** Output of the demo: steps with their duration, and failures, without a stack trace where the user can resolve them. */
export class Terminal {
  constructor(
    private readonly stream: NodeJS.WritableStream,
    /** True when it is interactive: a user reads the output and can press a key. */
    readonly isWatched = false,
  ) {}

  print(text = ''): void {
    this.stream.write(`${text}\n`);
  }

  async step<T>(title: string, work: () => Promise<T>): Promise<T> {
    const startedAt = Date.now();
    const elapsed = () => `${((Date.now() - startedAt) / 1000).toFixed(1)} s`;
    this.print(`→ ${title} …`);
    const repeat = setInterval(() => this.print(`  … still running (${elapsed()})`), REPEAT_AFTER_MS);
    try {
      const result = await work();
      this.print(`✓ ${title} (${elapsed()})`);
      return result;
    } finally {
      clearInterval(repeat);
    }
  }

  /** Returns the exit code. */
  explain(error: unknown): number {
    const { message, hint, code } = error as Error & { hint?: string; code?: string };
    this.print(`\n✗ ${message}`);
    if (typeof hint === 'string') {
      this.print(`  ${hint}`);
      return EXIT_CODES.unavailable;
    }
    if (code?.startsWith('ERR_PARSE_ARGS')) return EXIT_CODES.usage;
    if (error instanceof Error) this.print(String(error.stack));
    return EXIT_CODES.failed;
  }
}

/** Settles when a line ends on the stream, when the stream ends, or when the signal aborts. */
export async function enterOn(input: NodeJS.ReadableStream, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const finish = () => {
      input.off('data', onData).off('end', finish);
      signal.removeEventListener('abort', finish);
      input.pause();
      resolve();
    };
    const onData = (chunk: string | Buffer) => {
      if (/[\r\n]/.test(chunk.toString())) finish();
    };
    if (signal.aborted) return finish();
    signal.addEventListener('abort', finish);
    input.on('data', onData).on('end', finish).resume();
  });
}
