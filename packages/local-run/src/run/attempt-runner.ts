import {
  type AttemptPlan,
  type GraderPlan,
  type ModelConnection,
  planRedelivery,
} from '@agentclash/attempt-plan';
import { type AttemptEvent, type AttemptResult, NO_USAGE } from '@agentclash/domain';
import {
  type AttemptHistory,
  type AttemptPorts,
  accountOf,
  phaseGrader,
  systemClock,
  verifiedResult,
  verifyEnded,
} from '@agentclash/engine';
import { testRunScore } from '@agentclash/grading';
import { driveAttempt, type LocalPorts, MemoryStore } from '@agentclash/local-attempts';
import { openModel, type Sampling } from '@agentclash/models';
import { attemptPlan, graderPlan, type PlanSources, type RunPins } from '@agentclash/run-rules';
import type { LocalSlots } from '../models/local-slots.js';
import type { LocalCase, LocalLane, PreparedRun } from './prepare-run.js';
import { WORKSPACE_ID } from './prepare-run.js';

/** Events of one attempt, as an executor limits them. */
const EVENTS_MAX = 20_000;

/** The resources of this process that attempts use. */
export interface AttemptResources {
  ports: LocalPorts;
  slots: LocalSlots;
  /** The packages of coding agents; absent: there are none. */
  agentDirectories?: AttemptPorts['agentDirectories'];
}

/** One attempt of a run. */
export interface LocalAttempt {
  id: string;
  ordinal: number;
  lane: LocalLane;
  case: LocalCase;
  repetition: number;
}

/** The last delivery of an attempt. */
export interface AttemptEnd {
  result: AttemptResult;
  delivery: number;
  /** Of this delivery. */
  events: AttemptEvent[];
  deliveries: { delivery: number; result: AttemptResult }[];
  startedAt: string;
  finishedAt: string;
  /** The workspace that its agent left, while it is scored. */
  store: MemoryStore;
}

interface Watching {
  emit: (event: AttemptEvent) => void;
  /** A delivery has ended; another may follow. */
  onDelivery: (delivery: number, events: AttemptEvent[], result: AttemptResult) => void;
  signal: AbortSignal;
}

/** Runs attempts as executors do: planned, driven, verified, and delivered again where the platform failed. */
export class AttemptRunner {
  private readonly pins: RunPins;

  constructor(
    private readonly prepared: PreparedRun,
    private readonly resources: AttemptResources,
  ) {
    const { packModels } = prepared;
    this.pins = { packModels, raceStepGap: null, modelCalls: null, hasCallBudget: false };
  }

  async run(attempt: LocalAttempt, watching: Watching): Promise<AttemptEnd> {
    const startedAt = new Date().toISOString();
    const deliveries: AttemptEnd['deliveries'] = [];
    for (let delivery = 1; ; delivery++) {
      const store = new MemoryStore({ read: (ref, signal) => this.bytesOf(ref, signal) });
      const events: AttemptEvent[] = [];
      const result = await this.deliver(attempt, { delivery, store, events }, watching);
      deliveries.push({ delivery, result });
      watching.onDelivery(delivery, events, result);
      const next = watching.signal.aborted ? undefined : nextDelivery(delivery, result);
      if (next === undefined) {
        return {
          result,
          delivery,
          events,
          deliveries,
          startedAt,
          finishedAt: new Date().toISOString(),
          store,
        };
      }
      await pause(next, watching.signal);
    }
  }

  private async deliver(
    attempt: LocalAttempt,
    { delivery, store, events }: { delivery: number; store: MemoryStore; events: AttemptEvent[] },
    { emit, signal }: Watching,
  ): Promise<AttemptResult> {
    let plan: AttemptPlan;
    try {
      plan = this.planOf(attempt, delivery);
    } catch (error) {
      this.resources.ports.onError?.(error);
      return unplanned();
    }
    const { sandboxes, images, starvationMax, takeCpu, onError, ...ports } = this.resources.ports;
    const { agentDirectories } = this.resources;
    const common = {
      ...{ sandboxes, images, artifacts: store, snapshots: store },
      ...(starvationMax !== undefined && { starvationMax }),
      ...(onError && { onError }),
    };
    const grader = () => this.graderOf(attempt);
    const { result, history } = await driveAttempt({
      ...{ ...common, plan, signal },
      ...{ egress: ports.egress, argumentChecks: ports.argumentChecks },
      ...{ patternSearches: ports.patternSearches, queryLimiter: ports.queryLimiter },
      ...(agentDirectories && { agentDirectories }),
      ...(hasGates(plan) && {
        gradePhase: phaseGrader({
          plan: async () => grader(),
          score: async (validator, run) => testRunScore(validator, run),
          takeSlot: async () => () => {},
          takeCpu,
        }),
      }),
      secrets: this.prepared.secrets.resolver(attempt.lane.secretKeys),
      eventsMax: EVENTS_MAX + plan.files.length,
      emit: (event) => {
        // Live output is no part of the history.
        if (event.sequence_number === undefined) return;
        events.push(event);
        emit(event);
      },
      reply: { timedOut: true },
      models: (opened) => this.modelsOf(plan, opened),
    });
    const verified = await verifyEnded({
      ...{ ...common, clock: systemClock, plan, history, result, signal, takeCpu },
      graderPlan: async () => grader(),
    });
    return { ...verifiedResult(result, verified, signal), last_sequence: history.events.lastSequence };
  }

  private planOf(attempt: LocalAttempt, delivery: number): AttemptPlan {
    const { id, lane, repetition } = attempt;
    const identity = {
      ...{ workspace_id: WORKSPACE_ID, run_id: this.prepared.run.id, run_agent_id: lane.id },
      ...{ attempt_id: id, delivery, repetition },
    };
    return attemptPlan(identity, this.sourcesOf(attempt));
  }

  private graderOf(attempt: LocalAttempt): GraderPlan {
    return graderPlan(attempt.id, this.sourcesOf(attempt));
  }

  private sourcesOf({ lane, case: { case: own } }: LocalAttempt): PlanSources {
    const { version, limits, pack } = this.prepared;
    const artifacts = new Map(
      (own.case.assets ?? []).flatMap(({ artifact_id: id }) => {
        const found = id === undefined ? undefined : pack.artifacts.get(id);
        return id === undefined || found === undefined ? [] : [[id, found] as const];
      }),
    );
    return {
      ...{ version, agent: lane.snapshot, pins: this.pins, runLimits: limits },
      case: { case: own.case, artifacts },
    };
  }

  private modelsOf(
    { run_id: runId, limits }: AttemptPlan,
    { secrets }: AttemptHistory,
  ): Pick<AttemptPorts, 'openModel' | 'openProgramModel' | 'readVariable'> {
    const { readVariable } = this.prepared.secrets;
    const { ports, slots } = this.resources;
    const open = (connection: ModelConnection, sampling?: Sampling) =>
      openModel(accountOf(connection, { secrets, readVariable }), {
        ...{ model: connection.model, runId, egress: ports.egress, slots },
        stepTimeoutMs: limits.step_timeout_seconds * 1_000,
        ...(sampling && { sampling }),
      });
    return {
      readVariable,
      openModel: (config) => open(config, config.sampling),
      openProgramModel: (connection) => open(connection),
    };
  }

  /** Files of agents and of the pack. */
  private async bytesOf(
    ref: Parameters<PreparedRun['pack']['artifactReader']['read']>[0],
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    return (
      this.prepared.files.get(ref.artifact_id) ?? (await this.prepared.pack.artifactReader.read(ref, signal))
    );
  }
}

function hasGates({ conversation }: AttemptPlan): boolean {
  return conversation?.phases.some(({ gate }) => gate !== undefined) ?? false;
}

/** Milliseconds until the next delivery; undefined for none. */
function nextDelivery(
  delivery: number,
  { outcome, error, retry_after_ms }: AttemptResult,
): number | undefined {
  const decision = planRedelivery({
    ...{ delivery, outcome, random: Math.random() },
    ...(error && { retryable: error.retryable }),
    ...(retry_after_ms !== null && { retryAfterSeconds: retry_after_ms / 1_000 }),
  });
  return decision.redeliver ? decision.delaySeconds * 1_000 : undefined;
}

function unplanned(): AttemptResult {
  const message = 'The attempt could not be prepared on our side.';
  return {
    ...{
      outcome: 'infra_error',
      limit_kind: null,
      finished_by: 'none',
      retry_after_ms: null,
      last_sequence: 0,
    },
    error: { code: 'plan_failed', message, retryable: true },
    ...{ final_output_bytes: null, tool_call_count: 0, usage: { ...NO_USAGE }, cost_usd: null },
    ...{ latency_ms: 0, snapshot: null },
  };
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(end, ms);
    function end() {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    }
    signal.addEventListener('abort', end, { once: true });
  });
}
