import { createHash } from 'node:crypto';
import type { Driven } from '../agents/driver.js';
import { drive } from '../agents/drivers.js';
import { PROGRAM_DIRECTORY } from '../agents/program.js';
import { Spending } from '../model/spending.js';
import type { AttemptPlan } from '../plan.js';
import { AttemptSandbox } from '../sandbox/attempt-sandbox.js';
import { PlantedSecrets } from '../staging/planted-secrets.js';
import { stageFiles } from '../staging/stage.js';
import type { ToolDesk } from '../tools/tool-desk.js';
import { type Assembly, assemble, runStarted } from './assembly.js';
import { openDesk } from './desk.js';
import { endOfFault, isNoteworthy } from './fault.js';
import type { AttemptHistory } from './history.js';
import { type AttemptEnd, type AttemptOutcome, COUNTS_FOR_AGENT, outcomeOf } from './outcome.js';
import type { AttemptPorts, SnapshotRef } from './ports.js';
import { planRedelivery } from './redelivery.js';
import { type AttemptResult, errorInfo, type RunFigures, terminalEvent } from './result.js';
import { closeSandbox, type HostedSandbox, openSandbox } from './sandbox-host.js';
import { settleWorkspace } from './settle.js';
import { endingSignal, StageClock } from './stage-clock.js';

const PREPARE_MS = 180_000;
const SETTLE_MS = 60_000;

export interface RunAttemptOptions extends AttemptPorts {
  plan: AttemptPlan;
  history: AttemptHistory;
  /** Cancels the attempt; a reason that is an AttemptEnded is the end instead. */
  signal: AbortSignal;
}

/** Drives one delivery from its first event to its terminal one. Never rejects: whatever happens is an outcome. */
export function runAttempt(options: RunAttemptOptions): Promise<AttemptResult> {
  return new AttemptRun(options).toEnd();
}

class AttemptRun {
  private readonly signal: AbortSignal;
  private readonly planted: PlantedSecrets;
  private readonly spending: Spending;
  private host: HostedSandbox | undefined;
  private desk: ToolDesk | undefined;
  private latencyMs = 0;
  private outputBytes: number | null = null;

  constructor(private readonly options: RunAttemptOptions) {
    const { plan, history, signal } = options;
    this.signal = endingSignal(signal);
    this.planted = new PlantedSecrets(plan.planted_secrets, history.events);
    this.spending = new Spending(plan.limits);
  }

  async toEnd(): Promise<AttemptResult> {
    const { history, onStage } = this.options;
    const driven = await this.prepareAndRun();
    onStage?.('settling');
    const interrupted = { code: driven.end.because, message: 'the attempt ended before this did' };
    history.events.closeOpen(interrupted);
    this.planted.recordMissed();
    this.finalizeOutput(driven);
    const { end, snapshot } = await this.settle(driven.end);
    return this.conclude(outcomeOf(end), driven.stepCount, snapshot);
  }

  private async prepareAndRun(): Promise<Driven> {
    const { plan, history, sandboxes, onStage } = this.options;
    try {
      onStage?.('preparing');
      const assembly = assemble(plan);
      history.events.record('system.run.started', runStarted(plan, assembly, sandboxes.name));
      await this.prepare();
      onStage?.('running');
      return await this.run(assembly);
    } catch (fault) {
      return { end: this.endOf(fault), stepCount: 0 };
    }
  }

  private async prepare(): Promise<void> {
    const { plan, clock } = this.options;
    if (plan.mode === 'prompt_eval') return;
    const overrun = {
      because: 'infra',
      code: 'prepare_timeout',
      message: 'the sandbox was not ready in time',
    } as const;
    const stage = new StageClock(clock, { ms: PREPARE_MS, overrun, outer: this.signal });
    try {
      await this.openAndStage(stage);
    } finally {
      stage.stop();
    }
  }

  private async openAndStage({ signal }: StageClock): Promise<void> {
    const { plan, history, artifacts, clock, sandboxes } = this.options;
    const { filesystem, sandbox, limits } = plan;
    const order = {
      labels: { runId: plan.run_id, attemptId: plan.attempt_id },
      filesystem,
      sandbox,
      env: this.planted.environment(sandbox.env_vars),
      stagedRoots: plan.agent.kind === 'program' ? [PROGRAM_DIRECTORY] : [],
      wallMs: PREPARE_MS + limits.run_timeout_seconds * 1_000 + SETTLE_MS,
    };
    this.host = await openSandbox(order, { sandboxes, clock, events: history.events, signal });
    const files = [...plan.files, ...this.planted.files()];
    await stageFiles(this.use('staging', signal), files, {
      artifacts,
      directory: filesystem.working_directory,
      roots: filesystem.writable_roots,
      signal,
    });
    this.planted.recordPlanted(sandbox.env_vars);
  }

  private async run(assembly: Assembly): Promise<Driven> {
    const { plan, history, artifacts, clock, egress, openModel } = this.options;
    const overrun = { because: 'limit', limit: 'time' } as const;
    const ms = plan.limits.run_timeout_seconds * 1_000;
    const stage = new StageClock(clock, { ms, overrun, outer: this.signal });
    const sandbox = this.host && this.use('tool', stage.signal);
    const { surface, task } = assembly;
    const desk = openDesk({ plan, assembly, sandbox, history, egress, clock, stage, planted: this.planted });
    this.desk = desk;
    try {
      return await drive(plan.agent, {
        plan,
        task,
        surface,
        desk,
        sandbox,
        history,
        spending: this.spending,
        artifacts,
        clock,
        stage,
        openModel,
      });
    } finally {
      this.latencyMs = Math.round(stage.elapsedMs);
      stage.stop();
    }
  }

  /** The answer, or what an agent that failed had put out: evidence all the same. */
  private finalizeOutput({ end, output }: Driven): void {
    const { history } = this.options;
    const final_output = end.because === 'answer' ? end.answer : output;
    if (final_output === undefined) return;
    const finished_by = end.because === 'answer' ? end.finishedBy : 'none';
    const bytes = Buffer.byteLength(final_output);
    const sha256 = createHash('sha256').update(final_output).digest('hex');
    this.outputBytes = bytes;
    history.events.record('system.output.finalized', { final_output, finished_by, bytes, sha256 });
  }

  private async settle(end: AttemptEnd): Promise<{ end: AttemptEnd; snapshot: SnapshotRef | null }> {
    if (!this.host) return { end, snapshot: null };
    const { plan, clock, snapshots, history } = this.options;
    const overrun = {
      because: 'infra',
      code: 'settle_timeout',
      message: 'the sandbox did not come to rest',
    } as const;
    const stage = new StageClock(clock, { ms: SETTLE_MS, overrun, outer: this.signal });
    try {
      if (!COUNTS_FOR_AGENT[outcomeOf(end).outcome] || this.host.hasDied()) return { end, snapshot: null };
      const bytesMax = plan.sandbox.resources.workspace_bytes;
      return { end, snapshot: await settleWorkspace(this.host, bytesMax, { snapshots, stage }) };
    } catch (fault) {
      return { end: this.endOf(fault), snapshot: null };
    } finally {
      stage.stop();
      const isGone = await closeSandbox(this.host, end.because, { clock, events: history.events });
      if (!isGone) this.options.onFault?.(new Error('a sandbox was left to the reaper'));
    }
  }

  private conclude(outcome: AttemptOutcome, step_count: number, snapshot: SnapshotRef | null): AttemptResult {
    const { plan, history } = this.options;
    const { usage, costUsd: cost_usd } = this.spending;
    const tool_call_count = this.desk?.callCount ?? 0;
    const figures: RunFigures = { step_count, tool_call_count, usage, cost_usd, latency_ms: this.latencyMs };
    const { redeliver } = planRedelivery({
      ...outcome,
      delivery: plan.delivery,
      deliveriesMax: plan.deliveries_max,
      random: 0,
    });
    const { type, payload } = terminalEvent(outcome, figures, redeliver);
    history.events.record(type, payload, { summary: { status: outcome.outcome } });
    const { retryAfterSeconds } = outcome;
    return {
      outcome: outcome.outcome,
      limit_kind: outcome.limit ?? null,
      finished_by: outcome.finishedBy,
      error: outcome.outcome === 'completed' ? null : errorInfo(outcome),
      retry_after_ms: retryAfterSeconds === undefined ? null : retryAfterSeconds * 1_000,
      last_sequence: history.events.lastSequence,
      final_output_bytes: this.outputBytes,
      tool_call_count,
      usage,
      cost_usd,
      latency_ms: this.latencyMs,
      snapshot,
    };
  }

  private use(origin: 'staging' | 'tool', signal: AbortSignal): AttemptSandbox {
    const { plan, history, clock } = this.options;
    if (!this.host) throw new Error('no sandbox is open');
    const { session } = this.host;
    const { working_directory: workingDirectory } = plan.filesystem;
    return new AttemptSandbox({ session, events: history.events, clock, signal, origin, workingDirectory });
  }

  private endOf(fault: unknown): AttemptEnd {
    if (isNoteworthy(fault)) this.options.onFault?.(fault);
    return endOfFault(fault);
  }
}
