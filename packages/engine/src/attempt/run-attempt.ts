import { createHash } from 'node:crypto';
import type { AttemptPlan } from '@agentclash/attempt-plan';
import { isGraded, type SnapshotRef } from '@agentclash/domain';
import { SANDBOX_DEFAULTS } from '@agentclash/sandbox';
import type { DriverResult } from '../agents/driver.js';
import { drive } from '../agents/drivers.js';
import { type ConversationContext, converse, type ParkedConversation } from '../conversation/converse.js';
import type { ConversationState, HumanReply } from '../conversation/state.js';
import type { AttemptHistory } from '../events/history.js';
import type { McpServers } from '../mcp/mcp-servers.js';
import {
  ACCOUNT_WAIT_EXCEEDED,
  ACCOUNT_WAIT_MS_MAX,
  type AttemptEnd,
  AttemptEnded,
  endWithoutWorkspace,
  outcomeOf,
  reasonOf,
} from '../outcome/attempt-end.js';
import { EndingSignal, StageClock } from '../outcome/stage-clock.js';
import { ProgramEnding } from '../programs/program-ending.js';
import { type ModelCalls, modelCallsOf } from '../recording/model-calls.js';
import { AttemptSandbox } from '../sandbox/attempt-sandbox.js';
import { PlantedSecrets } from '../staging/planted-secrets.js';
import type { ToolCallHandler } from '../tools/tool-call-handler.js';
import { type Assembly, assemble, runStarted, withServerTools } from './assembly.js';
import { Consumption } from './consumption.js';
import { endOfError, mustBeLogged } from './end-of-error.js';
import { ModelReach } from './model-reach.js';
import type { AttemptPorts } from './ports.js';
import { PREPARE_MS, SETTLE_MS, sandboxOrder, stageAttempt } from './preparation.js';
import { type AttemptProgress, conclude, type ParkedAttempt } from './result.js';
import { openProxy } from './sandbox-egress.js';
import { closeSandbox, type HostedSandbox, openSandbox, parkSandbox, unparkSandbox } from './sandbox-host.js';
import { brokerOfProgram } from './served-program.js';
import { openServers } from './servers.js';
import { settleWorkspace } from './settle.js';
import { besideProgram, type CallStage, openToolCalls } from './tool-calls.js';

export interface RunAttemptOptions extends AttemptPorts {
  plan: AttemptPlan;
  history: AttemptHistory;
  /** Cancels the attempt; a reason that is an AttemptEnded is the end instead. */
  signal: AbortSignal;
}

export interface ResumeAttemptOptions extends RunAttemptOptions {
  /** The state at parking; `history` continues after its `last_sequence`. */
  parked: Pick<ParkedAttempt, 'state' | 'sandbox'>;
  reply: HumanReply;
}

/**
 * Drives one delivery from its first event to its terminal one, or until a person is waited for. Never rejects:
 * whatever happens is an outcome.
 */
export function runAttempt(options: RunAttemptOptions): Promise<AttemptProgress> {
  return new AttemptRun(options).run();
}

/**
 * Resumes a parked delivery in its own sandbox and history. Never rejects. With a signal that is aborted already
 * it ends the attempt and leaves nothing behind.
 */
export function resumeAttempt(options: ResumeAttemptOptions): Promise<AttemptProgress> {
  return new AttemptRun(options, options).run();
}

type Resumed = Pick<ResumeAttemptOptions, 'parked' | 'reply'>;

class AttemptRun {
  private readonly cancellation: EndingSignal;
  /** Ends the agent's work from beside its course; the reason is an AttemptEnded. */
  private readonly stopped = new AbortController();
  private readonly planted: PlantedSecrets;
  private readonly consumed: Consumption;
  private readonly reach: ModelReach;
  private readonly modelCalls: ModelCalls;
  private host: HostedSandbox | undefined;
  private servers: McpServers | undefined;

  constructor(
    private readonly options: RunAttemptOptions,
    private readonly resumed?: Resumed,
  ) {
    const { plan, history, signal, clock } = options;
    const state = resumed?.parked.state;
    this.cancellation = new EndingSignal(signal);
    this.planted = new PlantedSecrets(plan.planted_secrets, history.events, state?.waiting_canaries);
    this.consumed = new Consumption(plan.limits, { events: history.events, clock, before: state?.counters });
    this.reach = new ModelReach(plan.agent);
    this.modelCalls = modelCallsOf(options);
    this.host = resumed?.parked.sandbox;
    history.events.whenFull(() =>
      this.stopped.abort(new AttemptEnded({ because: 'limit', limit: 'events' })),
    );
  }

  async run(): Promise<AttemptProgress> {
    try {
      return await this.progress();
    } finally {
      this.cancellation.release();
    }
  }

  private async progress(): Promise<AttemptProgress> {
    const { history, onStage, plan } = this.options;
    const progress = await this.closingServers(
      this.resumed ? await this.resume(this.resumed) : await this.begin(),
    );
    if ('awaited' in progress) return { parked: this.park(progress, this.hosted()) };
    onStage?.('settling');
    this.modelCalls.close();
    const driven = await this.comparedWithRecording(progress);
    const interrupted = { code: reasonOf(driven.end), message: 'the attempt ended before this did' };
    history.events.closeOpen(interrupted);
    this.planted.recordMissed();
    const outputBytes = this.finalizeOutput(driven);
    const { end, snapshot } = await this.settle(this.reach.explain(driven.end));
    const { served } = this.modelCalls;
    const figures = { ...this.consumed.figures(), ...(served > 0 && { served_calls: served }) };
    return { ended: conclude(end, { plan, history, figures, outputBytes, snapshot }) };
  }

  private async begin(): Promise<DriverResult | ParkedConversation> {
    const { plan, history, sandboxes, onStage } = this.options;
    try {
      onStage?.('preparing');
      const assembly = assemble(plan);
      history.events.record('system.run.started', runStarted(plan, assembly, sandboxes));
      await this.prepare(assembly);
      const equipped = await this.withServers(assembly);
      onStage?.('running');
      return await this.runAgent(equipped);
    } catch (error) {
      return { end: this.endOf(error) };
    }
  }

  private async resume({ parked, reply }: Resumed): Promise<DriverResult | ParkedConversation> {
    const { plan, history, onStage, clock } = this.options;
    const { state } = parked;
    try {
      onStage?.('running');
      this.cancellation.signal.throwIfAborted();
      await unparkSandbox(parked.sandbox, clock);
      if (state.opened_secrets.length > 0)
        await history.secrets.open(state.opened_secrets, this.cancellation.signal);
      return await this.runAgent(await this.withServers(assemble(plan), state.server_lists), {
        ...state,
        reply,
      });
    } catch (error) {
      return { end: this.endOf(error) };
    }
  }

  private async prepare(assembly: Assembly): Promise<void> {
    const { plan, clock } = this.options;
    if (plan.mode === 'prompt_eval') return;
    const overrun = {
      because: 'infra',
      code: 'prepare_timeout',
      message: 'the sandbox was not ready in time',
    } as const;
    const stage = new StageClock(clock, { ms: PREPARE_MS, overrun, outer: this.cancellation.signal });
    try {
      await this.openAndStage(assembly, stage);
    } finally {
      stage.stop();
    }
  }

  private async openAndStage(assembly: Assembly, stage: StageClock): Promise<void> {
    const options = { ...this.options, planted: this.planted, stage };
    const order = await sandboxOrder(assembly, options);
    this.host = await openSandbox(order, { ...options, events: options.history.events });
    await stageAttempt(this.use('staging', stage), options);
  }

  private async runAgent(
    assembly: Assembly,
    resumed?: ConversationState & { reply: HumanReply },
  ): Promise<DriverResult | ParkedConversation> {
    const { plan } = this.options;
    const unreachable = this.reach.endWithoutEgress(this.host?.egressPort !== undefined);
    if (unreachable) return { end: unreachable };
    const stage = this.runStage();
    const sandbox = this.host && this.use('tool', stage);
    const { spending, simulatorSpending, steps } = this.consumed;
    const end = (reason: AttemptEnded) => this.stopped.abort(reason);
    const ending =
      plan.agent.kind === 'program' ? new ProgramEnding({ ...this.options, stage, end }) : undefined;
    const toolCalls = this.openToolCalls(assembly, ending ? besideProgram(stage, ending) : stage);
    const { surface, task } = assembly;
    const { beginWait } = stage;
    const endOf = (error: unknown) => this.endOf(error);
    const { ports, parts } = this.modelCalls;
    const served = { ...this.options, ...ports, ...(parts && { parts }) };
    const broker =
      ending && brokerOfProgram(assembly, { ...served, ending, toolCalls, spending, endOf, beginWait });
    if (broker) this.host?.brokerPort?.open(broker);
    const context = {
      ...this.options,
      ...ports,
      task,
      surface,
      toolCalls,
      sandbox,
      spending,
      steps,
      stage,
      broker,
    };
    this.openEgress();
    try {
      const driving =
        plan.mode === 'multi_turn'
          ? converse(
              plan.agent,
              {
                ...context,
                simulatorSpending,
                gradePhase: this.phaseGrader(stage),
              },
              resumed,
            )
          : drive(plan.agent, context);
      if (broker === undefined) return await driving;
      // The calls of a program explain its end even where it was ended from outside.
      const driven = await driving.catch((error: unknown) => ({ end: endOf(error) }));
      if ('awaited' in driven) return driven;
      return { ...driven, end: await broker.endedAs(driven.end) };
    } finally {
      this.host?.egressPort?.close();
      this.host?.brokerPort?.close();
      await broker?.settled();
      this.consumed.calls = toolCalls.counts;
      this.consumed.elapsedMs += stage.elapsedMs;
      this.consumed.starvedMs += stage.starvedMs;
      stage.stop();
    }
  }

  /** The stage of the agent is suspended meanwhile; undefined where nothing can grade a phase. */
  private phaseGrader(stage: StageClock): ConversationContext['gradePhase'] {
    const { host, options } = this;
    const { gradePhase } = options;
    if (!host || !gradePhase) return undefined;
    const { signal } = stage;
    return (id, validatorKey) =>
      stage.suspendedFor(() => gradePhase({ id, validatorKey }, { ...options, host, signal }));
  }

  /** With the tools of the servers that the plan names. Throws AttemptEnded. */
  private async withServers(assembly: Assembly, known?: Record<string, string>): Promise<Assembly> {
    if (!this.host) return assembly;
    const excludeStarved = () => undefined;
    this.servers = await openServers(assembly, {
      ...this.options,
      sandbox: (signal) => this.use('tool', { signal, excludeStarved }),
      end: (reason) => this.stopped.abort(reason),
      ...(known && { known }),
    });
    return this.servers
      ? withServerTools(assembly, this.servers.tools, this.options.plan.narrowing)
      : assembly;
  }

  /** Closes the servers; a list that changed is the end of an attempt that would be graded. */
  private async closingServers(
    driven: DriverResult | ParkedConversation,
  ): Promise<DriverResult | ParkedConversation> {
    const changed = await this.servers?.finish();
    if (changed === undefined) return driven;
    if ('awaited' in driven) return { end: changed };
    return isGraded(outcomeOf(driven.end).outcome) ? { ...driven, end: changed } : driven;
  }

  /** A replay that lacks recorded calls keeps its output, and is not graded. */
  private async comparedWithRecording(driven: DriverResult): Promise<DriverResult> {
    try {
      const end = await this.modelCalls.endOf(driven.end);
      if (end === driven.end || driven.end.because !== 'completed') return { ...driven, end };
      return { end, output: driven.end.output };
    } catch (error) {
      return { ...driven, end: this.endOf(error) };
    }
  }

  private openToolCalls(assembly: Assembly, stage: CallStage): ToolCallHandler {
    const sandbox = this.host && this.use('tool', stage);
    const { planted } = this;
    return openToolCalls({
      ...this.options,
      assembly,
      sandbox,
      stage,
      planted,
      counts: this.consumed.calls,
    });
  }

  /** Only while the agent runs: its requests are part of its history. */
  private openEgress(): void {
    const { plan, egress, history, clock } = this.options;
    const end = (reason: AttemptEnded) => this.stopped.abort(reason);
    this.host?.egressPort?.open(
      openProxy(plan, { egress, events: history.events, clock, end, reach: this.reach }),
    );
  }

  private runStage(): StageClock {
    const { plan, clock } = this.options;
    const overrun = { because: 'limit', limit: 'time' } as const;
    const ms = Math.max(0, plan.limits.run_timeout_seconds * 1_000 - this.consumed.elapsedMs);
    const outer = AbortSignal.any([this.cancellation.signal, this.stopped.signal]);
    const waits = { msMax: ACCOUNT_WAIT_MS_MAX, overrun: ACCOUNT_WAIT_EXCEEDED };
    return new StageClock(clock, { ms, overrun, outer, waits });
  }

  private park({ awaited, progress, agent }: ParkedConversation, sandbox: HostedSandbox): ParkedAttempt {
    const { history, clock } = this.options;
    parkSandbox(sandbox, Date.parse(awaited.deadline_at) - clock.now());
    const state: ConversationState = {
      schema: 'agentclash.conversation/1',
      progress,
      agent,
      counters: this.consumed.counters(),
      waiting_canaries: this.planted.pendingNames,
      opened_secrets: history.secrets.keys,
      ...(this.servers && { server_lists: this.servers.digests }),
      ...(history.evidence && { kept_events: history.evidence.events }),
      last_sequence: history.events.lastSequence,
    };
    return { ...awaited, state, sandbox };
  }

  /** Records the final output, or the output so far of an agent that failed. Returns its size. */
  private finalizeOutput({ end, output }: DriverResult): number | null {
    const { history } = this.options;
    const final_output = end.because === 'completed' ? end.output : output;
    if (final_output === undefined) return null;
    const finished_by = end.because === 'completed' ? end.finishedBy : 'none';
    const bytes = Buffer.byteLength(final_output);
    const sha256 = createHash('sha256').update(final_output).digest('hex');
    history.events.record('system.output.finalized', { final_output, finished_by, bytes, sha256 });
    return bytes;
  }

  private async settle(end: AttemptEnd): Promise<{ end: AttemptEnd; snapshot: SnapshotRef | null }> {
    if (!this.host) return { end, snapshot: null };
    const { plan, clock, snapshots, history } = this.options;
    const overrun = {
      because: 'infra',
      code: 'settle_timeout',
      message: 'the sandbox did not settle in time',
    } as const;
    const stage = new StageClock(clock, { ms: SETTLE_MS, overrun, outer: this.cancellation.signal });
    try {
      if (!isGraded(outcomeOf(end).outcome)) return { end, snapshot: null };
      if (this.host.hasDied()) {
        return { end: endWithoutWorkspace(end, await this.host.session.ended), snapshot: null };
      }
      const bytesMax = plan.sandbox.resources.workspace_bytes;
      const { redact } = history.secrets;
      return { end, snapshot: await settleWorkspace(this.host, bytesMax, { snapshots, stage, redact }) };
    } catch (error) {
      return { end: this.endOf(error), snapshot: null };
    } finally {
      stage.stop();
      const isGone = await closeSandbox(this.host, reasonOf(end), { clock, events: history.events });
      if (!isGone) this.options.onError?.(new Error('destroying a sandbox failed; the reaper removes it'));
    }
  }

  private hosted(): HostedSandbox {
    if (!this.host) throw new Error('no sandbox is open');
    return this.host;
  }

  private use(
    origin: 'staging' | 'tool',
    stage: Pick<StageClock, 'signal' | 'excludeStarved'> & Partial<Pick<StageClock, 'beginCommand'>>,
  ): AttemptSandbox {
    const { plan, history, clock, starvationMax = SANDBOX_DEFAULTS.starvationMax } = this.options;
    const { events } = history;
    const { session } = this.hosted();
    const { working_directory: workingDirectory } = plan.filesystem;
    const { signal, excludeStarved, beginCommand } = stage;
    const limits = { excludeStarved, beginCommand, starvationMax };
    return new AttemptSandbox({ session, events, clock, signal, origin, workingDirectory, ...limits });
  }

  private endOf(error: unknown): AttemptEnd {
    if (mustBeLogged(error)) this.options.onError?.(error);
    return endOfError(error);
  }
}
