import { createHash } from 'node:crypto';
import type { JsonObject } from '@agentclash/challengepack';
import type { ArgumentBounds, ArgumentChecks, DefinedArguments } from '@agentclash/engine';
import { ThreadOverrun, ThreadPool, type ThreadPoolLimits } from '@agentclash/service-kit';
import type { ArgumentReply, ArgumentTask } from './argument-task.js';

/** The time is as much as reading the largest schema that there may be takes, and then some. */
const LIMITS: ThreadPoolLimits = { threads: 2, memoryMib: 192, timeoutMs: 5_000, waitingMax: 10_000 };
/** Waiting is left out of the attempt's time while it lasts, or that would end meanwhile. */
const EXCLUDE_EVERY_MS = 100;

/** What all threads may take together, beside the heap of the service. */
export const ARGUMENT_THREADS_MIB_MAX = LIMITS.threads * LIMITS.memoryMib;

type Verdict = Awaited<ReturnType<ArgumentChecks['check']>>;

/**
 * Checks the arguments of calls against the schemas of tools in threads of their own, so that none can hold up the
 * attempts of others: bounded in time and memory, fair between workspaces. A thread keeps the schemas it has read.
 */
export class ArgumentThreads {
  private readonly pool: ThreadPool;
  private readonly digests = new WeakMap<JsonObject, string>();

  constructor(limits: Partial<ThreadPoolLimits> = {}) {
    this.pool = new ThreadPool(new URL(import.meta.resolve('#argument-thread')), { ...LIMITS, ...limits });
  }

  of(workspaceId: string): ArgumentChecks {
    return { check: (args, bounds) => this.check(workspaceId, args, bounds) };
  }

  async stop(): Promise<void> {
    await this.pool.stop();
  }

  private async check(tenant: string, args: DefinedArguments, bounds: ArgumentBounds): Promise<Verdict> {
    const task = { digest: this.digestOf(args.schema), args: args.args, opaque: [...args.opaque] };
    const run = async (given: ArgumentTask) => await this.reply(tenant, given, bounds);
    try {
      const first = await run(task);
      const reply = first === 'schema_unknown' ? await run({ ...task, schema: args.schema }) : first;
      if (reply === 'schema_unknown') throw new Error('a thread has lost a schema that it was given');
      return reply;
    } catch (error) {
      if (error instanceof ThreadOverrun) return { unchecked: 'limit' };
      throw error;
    }
  }

  private async reply(
    tenant: string,
    task: ArgumentTask,
    { signal, exclude }: ArgumentBounds,
  ): Promise<ArgumentReply> {
    const waiting = new Waiting(exclude);
    try {
      const { begin: onWait, end: onTurn } = waiting;
      return (await this.pool.run({ tenant, task, signal, onWait, onTurn })) as ArgumentReply;
    } finally {
      waiting.end();
    }
  }

  private digestOf(schema: JsonObject): string {
    const known = this.digests.get(schema);
    if (known !== undefined) return known;
    const digest = createHash('sha256').update(JSON.stringify(schema)).digest('hex');
    this.digests.set(schema, digest);
    return digest;
  }
}

/** Excludes the time between its beginning and its end, as it passes. */
class Waiting {
  private timer: NodeJS.Timeout | undefined;
  private since = 0;

  constructor(private readonly exclude: (ms: number) => void) {}

  readonly begin = (): void => {
    this.since = performance.now();
    this.timer = setInterval(this.pass, EXCLUDE_EVERY_MS);
  };

  readonly end = (): void => {
    if (this.timer === undefined) return;
    clearInterval(this.timer);
    this.timer = undefined;
    this.pass();
  };

  private readonly pass = (): void => {
    const now = performance.now();
    this.exclude(now - this.since);
    this.since = now;
  };
}
