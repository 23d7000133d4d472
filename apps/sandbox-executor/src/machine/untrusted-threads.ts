import { createHash, randomUUID } from 'node:crypto';
import type { EvaluationSpec, JsonObject } from '@agentclash/challengepack';
import type {
  ArgumentChecks,
  AttemptPorts,
  DefinedArguments,
  GatePorts,
  PatternReply,
  PatternSearches,
  PatternTask,
  WorkBounds,
} from '@agentclash/engine';
import { type ReadReply, type ReplyForm, type ReplyTask, readReply } from '@agentclash/engine/replies';
import { isApplicable, overrunResult, type Scorecard, type ValidatorResult } from '@agentclash/grading';
import {
  type McpMessage,
  type PreparedCall,
  prepareCall,
  type RawCall,
  type RawModelReply,
  type RefusedCall,
  RPC_ERRORS,
  readMcpMessage,
  readModelReply,
  type WireReply,
} from '@agentclash/model-broker';
import type { DrawnCase, drawCases, PackView, Planning, TrialPorts } from '@agentclash/pack-audit';
import { ThreadOverrun, ThreadPool, type ThreadPoolLimits } from '@agentclash/threads';
import { excludingWaits } from './excluded-wait.js';
import type {
  ArgumentReply,
  ArgumentTask,
  AuditTask,
  DrawTask,
  MessageTask,
  ScoreTask,
  TestRunTask,
} from './untrusted.thread.js';

/** The time is as much as reading the largest schema that there may be takes, and then some. */
const LIMITS: ThreadPoolLimits = { threads: 2, memoryMib: 192, timeoutMs: 5_000, waitingMax: 10_000 };

const AUDIT_LIMITS = { threads: 1, memoryMib: 256 } as const satisfies Partial<ThreadPoolLimits>;

/** The memory limit of all threads together, beside the heap of the service. */
export const UNTRUSTED_THREADS_MIB_MAX =
  LIMITS.threads * LIMITS.memoryMib + AUDIT_LIMITS.threads * AUDIT_LIMITS.memoryMib;

/** Shorter texts of programs and agents take less time to read than to pass to a thread. */
const READ_HERE_BYTES_MAX = 16 * 1024;

type Verdict = Awaited<ReturnType<ArgumentChecks['check']>>;

/**
 * Checks the arguments of calls against the schemas of tools, searches texts by patterns, and reads the requests of
 * programs to the broker and the replies of models, agents and servers of tools, in threads of their own, so that none can hold
 * up the attempts of others: bounded in time and memory, fair between workspaces. A thread keeps the schemas it has read.
 */
export class UntrustedThreads {
  private readonly pool: ThreadPool;
  private readonly digests = new WeakMap<JsonObject, string>();
  private readonly packs = new WeakMap<PackView, string>();

  constructor(limits: Partial<ThreadPoolLimits> = {}, program = '#untrusted-thread') {
    this.pool = new ThreadPool(new URL(import.meta.resolve(program)), { ...LIMITS, ...limits });
  }

  /** Those of audits, which hold up no attempt. */
  static forAudits(limits: Partial<ThreadPoolLimits> = {}): UntrustedThreads {
    return new UntrustedThreads({ ...AUDIT_LIMITS, ...limits }, '#audit-thread');
  }

  argumentsOf(workspaceId: string): ArgumentChecks {
    return { check: (args, bounds) => this.check(workspaceId, args, bounds) };
  }

  patternsOf(workspaceId: string): PatternSearches {
    return { search: (task, bounds) => this.search(workspaceId, task, bounds) };
  }

  callsOf(workspaceId: string): NonNullable<AttemptPorts['prepareCalls']> {
    return (call, signal) => this.prepare(workspaceId, call, signal);
  }

  modelRepliesOf(workspaceId: string): NonNullable<AttemptPorts['readModelReplies']> {
    return (reply, signal) => this.readModelReply(workspaceId, reply, signal);
  }

  messagesOf(workspaceId: string): NonNullable<AttemptPorts['readMessages']> {
    return (body, signal) => this.read(workspaceId, { message: body }, signal);
  }

  repliesOf(workspaceId: string): NonNullable<AttemptPorts['readReplies']> {
    return (task, bounds) => this.readReply(workspaceId, task, bounds);
  }

  /** A run that takes too long to read has no score. */
  testRunsOf(workspaceId: string): GatePorts['score'] {
    return async (validator, run, signal) => {
      try {
        const task: TestRunTask = { validator, run };
        const reply = await this.pool.run({ tenant: workspaceId, task, signal });
        return (reply as { score: number | null }).score;
      } catch (error) {
        if (error instanceof ThreadOverrun) return null;
        throw error;
      }
    };
  }

  /**
   * Scorecards of audits, in turns between workspaces. A validator that overruns is an error of its own; the others still
   * count. Fails with `ThreadOverrun` where the rest of a scorecard overruns.
   */
  scorecardsOf(tenant: string, signal: AbortSignal): TrialPorts['score'] {
    const run = (task: ScoreTask) => this.pool.run({ tenant, task, signal });
    return async (spec, evidence, security) => {
      const task = { spec, evidence, security };
      try {
        return (await run(task)) as Scorecard;
      } catch (error) {
        if (!(error instanceof ThreadOverrun)) throw error;
      }
      const validators: ValidatorResult[] = [];
      for (const [index, validator] of spec.validators.entries()) {
        if (isApplicable(validator, evidence)) validators.push(await resultOf(index, validator));
      }
      return (await run({ ...task, validators })) as Scorecard;

      async function resultOf(index: number, validator: EvaluationSpec['validators'][number]) {
        try {
          return (await run({ ...task, index })) as ValidatorResult;
        } catch (error) {
          if (error instanceof ThreadOverrun) return overrunResult(validator);
          throw error;
        }
      }
    };
  }

  /** Plans of audits, in turns between workspaces. */
  planningOf(tenant: string, signal: AbortSignal): Planning {
    const run = async (pack: PackView, audit: AuditTask['audit']) => {
      const task: AuditTask = { pack: this.keyOf(pack), audit };
      try {
        const reply = await this.pool.run({ tenant, task, signal });
        if (reply !== 'pack_unknown') return reply;
        return await this.pool.run({ tenant, task: { ...task, view: viewOf(pack) }, signal });
      } catch (error) {
        if (error instanceof ThreadOverrun) return 'overrun';
        throw error;
      }
    };
    return {
      plan: async (pack, plan) => (await run(pack, { plan })) as Awaited<ReturnType<Planning['plan']>>,
      mutants: async (pack, mutants) =>
        (await run(pack, { mutants })) as Awaited<ReturnType<Planning['mutants']>>,
    };
  }

  /** Draws of cases, as `drawCases`. */
  drawsOf(tenant: string, signal: AbortSignal) {
    return async (cases: readonly DrawnCase[], options: Parameters<typeof drawCases>[1]) => {
      const task: DrawTask = { cases, options };
      return (await this.pool.run({ tenant, task, signal })) as DrawnCase[];
    };
  }

  async stop(): Promise<void> {
    await this.pool.stop();
  }

  private async check(tenant: string, args: DefinedArguments, bounds: WorkBounds): Promise<Verdict> {
    const task = { digest: this.digestOf(args.schema), args: args.args, opaque: [...args.opaque] };
    const run = async (given: ArgumentTask) => (await this.reply(tenant, given, bounds)) as ArgumentReply;
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

  private async prepare(
    tenant: string,
    call: RawCall,
    signal: AbortSignal,
  ): Promise<PreparedCall | RefusedCall> {
    if (call.body.byteLength <= READ_HERE_BYTES_MAX) return prepareCall(call);
    try {
      return (await this.pool.run({ tenant, task: call, signal })) as PreparedCall | RefusedCall;
    } catch (error) {
      if (!(error instanceof ThreadOverrun)) throw error;
      const message = `The request takes too much ${error.resource} to read.`;
      return { refused: { reason: 'too_large', status: 413, message } };
    }
  }

  private async readModelReply(
    tenant: string,
    task: RawModelReply,
    signal: AbortSignal,
  ): Promise<WireReply | 'too_large'> {
    if (task.reply.byteLength <= READ_HERE_BYTES_MAX) return readModelReply(task);
    try {
      return (await this.pool.run({ tenant, task, signal })) as WireReply;
    } catch (error) {
      if (error instanceof ThreadOverrun) return 'too_large';
      throw error;
    }
  }

  private async read(tenant: string, task: MessageTask, signal: AbortSignal): Promise<McpMessage> {
    if (task.message.byteLength <= READ_HERE_BYTES_MAX) return readMcpMessage(task.message);
    try {
      return (await this.pool.run({ tenant, task, signal })) as McpMessage;
    } catch (error) {
      if (!(error instanceof ThreadOverrun)) throw error;
      return {
        kind: 'invalid',
        code: RPC_ERRORS.invalidRequest,
        message: `The message takes too much ${error.resource} to read.`,
      };
    }
  }

  private async readReply<F extends ReplyForm>(
    tenant: string,
    task: ReplyTask<F>,
    { signal, exclude = () => undefined }: Pick<WorkBounds, 'signal'> & Partial<WorkBounds>,
  ): Promise<ReadReply<F> | 'overrun'> {
    if (task.bytes.byteLength <= READ_HERE_BYTES_MAX) return readReply(task);
    try {
      return (await this.reply(tenant, task, { signal, exclude })) as ReadReply<F>;
    } catch (error) {
      if (error instanceof ThreadOverrun) return 'overrun';
      throw error;
    }
  }

  private async search(tenant: string, task: PatternTask, bounds: WorkBounds): Promise<PatternReply> {
    try {
      return (await this.reply(tenant, task, bounds)) as PatternReply;
    } catch (error) {
      if (error instanceof ThreadOverrun) return 'limit';
      throw error;
    }
  }

  private async reply(
    tenant: string,
    task: ArgumentTask | PatternTask | ReplyTask,
    { signal, exclude }: WorkBounds,
  ): Promise<unknown> {
    return await excludingWaits(exclude, (waits) => this.pool.run({ tenant, task, signal, ...waits }));
  }

  private keyOf(pack: PackView): string {
    const known = this.packs.get(pack);
    if (known !== undefined) return known;
    const key = randomUUID();
    this.packs.set(pack, key);
    return key;
  }

  private digestOf(schema: JsonObject): string {
    const known = this.digests.get(schema);
    if (known !== undefined) return known;
    const digest = createHash('sha256').update(JSON.stringify(schema)).digest('hex');
    this.digests.set(schema, digest);
    return digest;
  }
}

/** The part of a pack that can be sent to a thread. */
function viewOf({ manifest, artifacts }: PackView): PackView {
  return { manifest, artifacts };
}
