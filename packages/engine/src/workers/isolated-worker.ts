import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

const HEAP_MIB = 256;
/** Queries of a process at the same time: an agent that sends many must not take the memory of the whole process. */
export const QUERIES_MAX = 2;

/** The memory limit of all workers of a process: each its heap, and as much memory of WebAssembly. */
export const WORKERS_MIB_MAX = QUERIES_MAX * 2 * HEAP_MIB;

/** The arguments of a worker's function, which must need nothing else: only its text is sent. */
export interface WorkerScope<Input> {
  require: NodeJS.Require;
  input: Input;
}

/** A worker that did not reply in time and was killed. */
export class WorkerTimeout extends Error {
  override readonly name = 'WorkerTimeout';
}

/** A worker that died or whose function threw; the text is untrusted and not for users. */
export class WorkerFailed extends Error {
  override readonly name = 'WorkerFailed';
}

interface Bounds {
  timeoutMs: number;
  signal: AbortSignal;
}

/**
 * Runs a function in a thread of its own: empty environment, capped memory, killed when time is up. `QueryLimiter`
 * bounds how many run. Throws WorkerTimeout or WorkerFailed.
 */
export async function runIsolated<Input, Output>(
  main: (scope: WorkerScope<Input>) => Promise<Output>,
  input: Input,
  { timeoutMs, signal }: Bounds,
): Promise<Output> {
  const worker = new Worker(programOf(main), {
    eval: true,
    env: {},
    argv: [],
    execArgv: [],
    stdout: true,
    stderr: true,
    workerData: input,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
  });
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  try {
    const [reply]: { ok?: Output; error?: string }[] = await once(worker, 'message', { signal: deadline });
    if (reply && 'ok' in reply) return reply.ok as Output;
    throw new WorkerFailed(reply?.error);
  } catch (error) {
    signal.throwIfAborted();
    if (deadline.aborted) throw new WorkerTimeout(`no reply within ${timeoutMs} ms`);
    throw error instanceof WorkerFailed ? error : new WorkerFailed('the worker died', { cause: error });
  } finally {
    await worker.terminate();
  }
}

/**
 * WebAssembly memory is outside the heap that the thread's limits know, so it is held down where it grows. The name of
 * the program is blanked: a module that reads it must not learn the path of the executor.
 */
function programOf<Input, Output>(main: (scope: WorkerScope<Input>) => Promise<Output>): string {
  return `
    const { parentPort, workerData: input } = require('node:worker_threads');
    process.argv.splice(0, process.argv.length, 'worker', 'worker');
    const grow = WebAssembly.Memory.prototype.grow;
    WebAssembly.Memory.prototype.grow = function (pages) {
      if (this.buffer.byteLength + pages * 65536 > ${HEAP_MIB} * 1048576) throw new RangeError('out of memory');
      return grow.call(this, pages);
    };
    (${main.toString()})({ require, input }).then(
      (ok) => parentPort.postMessage({ ok }),
      (error) => parentPort.postMessage({ error: String(error && error.message) }),
    );
  `;
}
