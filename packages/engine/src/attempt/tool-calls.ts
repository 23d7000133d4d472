import type { AttemptPlan } from '@agentclash/attempt-plan';
import type { Egress } from '@agentclash/egress';
import type { Clock } from '../clock.js';
import type { AttemptHistory } from '../events/history.js';
import { unlessAborted } from '../outcome/attempt-end.js';
import type { StageClock } from '../outcome/stage-clock.js';
import { ToolError } from '../outcome/tool-error.js';
import { PRIMITIVE_TABLE } from '../primitives/primitives.js';
import type { ProgramEnding } from '../programs/program-ending.js';
import type { AttemptSandbox } from '../sandbox/attempt-sandbox.js';
import { createCanaryDetector } from '../secrets/canary-detector.js';
import type { PlantedSecrets } from '../staging/planted-secrets.js';
import type { ArgumentChecks } from '../tools/arguments.js';
import { type ToolCallCounts, ToolCallHandler } from '../tools/tool-call-handler.js';
import { ToolRunner } from '../tools/tool-runner.js';
import type { PatternSearches, QueryLimiter } from '../workers/bounded-work.js';
import type { Assembly } from './assembly.js';

const SPILL_DIRECTORY = '.agentclash/spill';

interface ToolCallsContext {
  plan: AttemptPlan;
  assembly: Assembly;
  /** Absent in `prompt_eval`, where nothing can be called. */
  sandbox: AttemptSandbox | undefined;
  history: AttemptHistory;
  egress: Egress;
  clock: Clock;
  argumentChecks: ArgumentChecks;
  patternSearches: PatternSearches;
  queryLimiter: QueryLimiter;
  stage: CallStage;
  planted: PlantedSecrets;
  /** The counts of earlier turns. */
  counts: ToolCallCounts;
}

/** The time and the signal of an attempt's tool calls. */
export type CallStage = Pick<StageClock, 'signal' | 'exclude' | 'excludeStarved' | 'remainingMs'>;

/** Of calls beside a program: its own command measures the time, and they end with the program. */
export function besideProgram({ remainingMs }: StageClock, { signal }: ProgramEnding): CallStage {
  const exclude = () => undefined;
  return { signal, exclude, excludeStarved: exclude, remainingMs };
}

/** Creates the handler of an attempt's tool calls. */
export function openToolCalls(context: ToolCallsContext): ToolCallHandler {
  const { plan, assembly, sandbox, history, clock, planted } = context;
  return new ToolCallHandler({
    surface: assembly.surface,
    runner: sandbox ? runnerIn(sandbox, context) : { run: refuseCall },
    primitives: PRIMITIVE_TABLE,
    limits: plan.limits,
    events: history.events,
    clock,
    redact: history.secrets.redact,
    spill: (name, text) => spill(`${SPILL_DIRECTORY}/${name}.txt`, text, context),
    transformResult: planted.transformResult,
    drained: () => awaitBackPressure(context),
    counts: context.counts,
  });
}

/** A bus that is slow to take the events is not the agent's time. */
async function awaitBackPressure({ history, stage, clock }: ToolCallsContext): Promise<void> {
  const startedAt = clock.monotonic();
  await unlessAborted(history.events.drained(), stage.signal);
  stage.exclude(clock.monotonic() - startedAt);
}

function runnerIn(sandbox: AttemptSandbox, context: ToolCallsContext): ToolRunner {
  const {
    plan,
    assembly,
    history,
    egress,
    stage,
    argumentChecks,
    patternSearches,
    queryLimiter: queryTurns,
  } = context;
  const { policy, catalog } = assembly;
  const { events, secrets } = history;
  return new ToolRunner({
    catalog,
    policy,
    primitives: PRIMITIVE_TABLE,
    secrets,
    argumentChecks,
    context: {
      sandbox,
      filesystem: plan.filesystem,
      policy,
      egress,
      networkAllowlist: plan.sandbox.network_allowlist,
      patternSearches,
      queryLimiter: queryTurns,
      exclude: stage.exclude,
      events,
      remainingMs: stage.remainingMs,
      signal: stage.signal,
      canaries: createCanaryDetector(plan.planted_secrets),
    },
  });
}

async function refuseCall(): Promise<never> {
  throw new ToolError('policy', 'this attempt has no tools', { origin: 'policy' });
}

/** Null when the disk is full, or when the agent replaced the folder. */
async function spill(
  path: string,
  text: string,
  { sandbox, plan }: ToolCallsContext,
): Promise<string | null> {
  const { working_directory } = plan.filesystem;
  try {
    await sandbox?.writeFile(path, text, { cwd: working_directory, roots: [working_directory] });
    return path;
  } catch (error) {
    if (error instanceof ToolError) return null;
    throw error;
  }
}
