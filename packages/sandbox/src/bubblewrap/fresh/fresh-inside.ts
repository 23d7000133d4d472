import type { Inside, InsideTask } from '../../inside/inside.js';
import type { TaskOutput } from '../../inside/task.js';
import type { TaskRequest } from '../../inside/task-request.js';
import { SandboxError } from '../../sandbox-error.js';
import type { ProcessEnd } from '../process-end.js';
import { commandArgv, type FreshPlan, workerArgv } from './fresh-arguments.js';
import { FreshTask } from './fresh-task.js';

/**
 * Without a process inside: every command and every file operation is a bwrap of its own over the same directories.
 * What a command leaves running dies with it.
 */
export class FreshInside implements Inside {
  readonly ended: Promise<ProcessEnd>;
  #death: SandboxError | undefined;
  #resolveEnded!: (end: ProcessEnd) => void;
  readonly #tasks = new Set<FreshTask>();

  constructor(private readonly plan: FreshPlan) {
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
  }

  start(request: TaskRequest, output: TaskOutput): InsideTask {
    if (this.#death) throw this.#death;
    const { plan } = this;
    if (request.verb !== 'exec') return this.#run(request, output, async () => workerArgv(plan, request));
    return this.#run(request, output, async () => commandArgv(plan, request, await this.#directory(request)));
  }

  /** Process ids on the host of every bwrap that runs now. */
  get pids(): number[] {
    return [...this.#tasks].flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
  }

  async killAll(): Promise<void> {
    if (this.#death) throw this.#death;
    await this.#killTasks();
  }

  async ping(): Promise<void> {
    if (this.#death) throw this.#death;
    const exit = await this.start({ verb: 'stat', cwd: '/', roots: ['/'], args: ['/'] }, SILENT).exit;
    if (exit.kind !== 'code' || exit.code !== 0) {
      throw new SandboxError('unavailable', 'the sandbox does not work', { cause: exit });
    }
  }

  /** Nothing runs inside by itself that could outlive the lease that the host keeps. */
  setLease(): void {}

  close(death: SandboxError): void {
    this.#death ??= death;
    for (const task of this.#tasks) task.fail(this.#death);
  }

  kill(): void {
    void this.end();
  }

  async end(): Promise<void> {
    // First, so that what is under way hears of the end of the sandbox and not of its own.
    this.#resolveEnded({ exitCode: null, signal: 'SIGKILL', stderr: '' });
    await this.#killTasks();
  }

  async #killTasks(): Promise<void> {
    const tasks = [...this.#tasks];
    for (const task of tasks) task.cancel();
    await Promise.all(tasks.map((task) => task.gone));
  }

  #run(request: TaskRequest, output: TaskOutput, argv: () => Promise<readonly string[]>): FreshTask {
    const task = new FreshTask(this.plan, { request, output, argv });
    this.#tasks.add(task);
    void task.gone.then(() => this.#tasks.delete(task));
    return task;
  }

  /** Where a command starts: resolved and checked like any path. */
  async #directory({ cwd, roots }: TaskRequest): Promise<string> {
    if (cwd === this.plan.spec.workingDirectory) return cwd;
    const { directoryOf } = await import('./fresh-directory.js');
    return directoryOf(this, { cwd, roots });
  }
}

const SILENT: TaskOutput = { onStdout: () => {}, onStderr: () => {} };
