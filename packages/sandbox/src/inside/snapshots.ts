import type { Snapshot, SnapshotReport } from '../file-store.js';
import type { InsideClient } from './client.js';
import type { FileReport } from './file-report.js';
import { Collected, finished } from './files.js';
import type { Task } from './task.js';
import { REQUEST_FLAG } from './task-request.js';

const WINDOW_BYTES = 1 << 20;

export interface SnapshotScope {
  /** Absolute, none inside another. */
  workspaceRoots: readonly string[];
  /** Set where the changes of the whole root are taken instead: what is no part of them. */
  excluded?: readonly string[];
  bytesMax: number;
  timeoutMs: number;
}

/** Starts when `chunks` is first read; a reader that stops early ends the work. */
export function takeSnapshot(client: InsideClient, scope: SnapshotScope): Snapshot {
  let settle!: { resolve: (report: SnapshotReport) => void; reject: (error: unknown) => void };
  const report = new Promise<SnapshotReport>((resolve, reject) => {
    settle = { resolve, reject };
  });
  report.catch(() => {});
  return { chunks: chunksOf(client, scope, settle), report };
}

async function* chunksOf(
  client: InsideClient,
  scope: SnapshotScope,
  settle: { resolve: (report: SnapshotReport) => void; reject: (error: unknown) => void },
): AsyncGenerator<Uint8Array> {
  const output = new ChunkQueue();
  let task: Task | undefined;
  try {
    task = client.start(
      {
        verb: 'snapshot',
        timeoutMs: scope.timeoutMs,
        windowBytes: WINDOW_BYTES,
        numbers: [scope.bytesMax],
        ...requestOf(scope),
      },
      output,
    );
    const exit = task.exit;
    exit.then(output.end, output.end);
    for (let chunk = await output.take(); chunk; chunk = await output.take()) {
      yield chunk;
      task.acknowledge(chunk.length);
    }
    settle.resolve(asSnapshotReport(await finished(task, output)));
  } catch (error) {
    settle.reject(error);
    throw error;
  } finally {
    task?.cancel();
    settle.reject(new Error('the snapshot was not read to its end'));
  }
}

export async function restoreSnapshot(
  client: InsideClient,
  scope: SnapshotScope,
  chunks: AsyncIterable<Uint8Array>,
): Promise<SnapshotReport> {
  const collected = new Collected();
  const task = client.start(
    {
      verb: 'restore',
      timeoutMs: scope.timeoutMs,
      ...requestOf(scope, REQUEST_FLAG.stdin),
    },
    collected,
  );
  try {
    await task.sendInput(chunks);
  } catch (error) {
    task.cancel();
    await task.exit.catch(() => {});
    throw error;
  }
  return asSnapshotReport(await finished(task, collected));
}

function requestOf({ workspaceRoots, excluded }: SnapshotScope, flags = 0) {
  const cwd = '/';
  if (excluded === undefined) return { cwd, flags, roots: workspaceRoots, args: ['/'] };
  return { cwd, flags: flags | REQUEST_FLAG.changes, roots: ['/'], args: ['/', ...excluded] };
}

function asSnapshotReport(report: FileReport): SnapshotReport {
  const [entries, bytes, omittedCount] = report.numbers;
  return { entries, bytes, omitted: report.omitted, omittedCount };
}

/** Output waiting for its reader; the window bounds what it holds. */
class ChunkQueue {
  #isEnded = false;
  #wake: (() => void) | undefined;
  readonly #chunks: Buffer[] = [];
  readonly #report: Buffer[] = [];

  get report(): Buffer {
    return Buffer.concat(this.#report);
  }

  onStdout(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#wake?.();
  }

  onStderr(chunk: Buffer): void {
    this.#report.push(chunk);
  }

  readonly end = (): void => {
    this.#isEnded = true;
    this.#wake?.();
  };

  async take(): Promise<Buffer | undefined> {
    while (this.#chunks.length === 0 && !this.#isEnded) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#chunks.shift();
  }
}
