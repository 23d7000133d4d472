import type { GraderPlan } from '@agentclash/attempt-plan';
import type { ValidatorOf } from '@agentclash/challengepack';
import type { GradedPhase, GradedPhaseOptions, GradePhase } from '../attempt/ports.js';
import { AttemptEnded, CPU_STARVED } from '../outcome/attempt-end.js';
import type { TestRunPayload } from './test-run.js';
import { verifyAttempt } from './verify-attempt.js';

/** Grading while an agent is at work. */
export interface GatePorts {
  /** The grader's part of the attempt. */
  plan: (signal: AbortSignal) => Promise<GraderPlan>;
  /** The score of one run, read where what tests write does no harm; null: it has none. */
  score: (
    validator: ValidatorOf<'code_execution'>,
    run: TestRunPayload,
    signal: AbortSignal,
  ) => Promise<number | null>;
  /** Waits until one more sandbox may be open; returns a function that ends that. */
  takeSlot: (signal: AbortSignal) => Promise<() => void>;
  takeCpu?: (cpu: number, signal: AbortSignal) => Promise<() => void>;
}

interface PhaseGateOptions extends GradedPhaseOptions {
  gates: GatePorts;
}

/** Grades phases by the tests of the pack. */
export function phaseGrader(gates: GatePorts): GradePhase {
  return (phase, options) => gradePhase(phase, { ...options, gates });
}

const TRIES = 2;
const UNGRADED = {
  because: 'infra',
  code: 'gate_not_graded',
  message: 'the tests of a phase could not be run',
} as const;

/**
 * The score of a validator for the workspace as it is now, in a sandbox that the agent never touched. Throws AttemptEnded
 * where the platform cannot grade it, since the conversation would go another way.
 */
async function gradePhase(phase: GradedPhase, options: PhaseGateOptions): Promise<number | null> {
  const { gates, signal } = options;
  const grader = await gates.plan(signal);
  const gate = grader.gates?.find(
    ({ phase_id, validator }) => phase_id === phase.id && validator.key === phase.validatorKey,
  );
  // A condition of the validator leaves this case out.
  if (gate === undefined) return null;
  const release = await gates.takeSlot(signal);
  try {
    return await gates.score(gate.validator, await testRun(phase, grader, options), signal);
  } finally {
    release();
  }
}

async function testRun(
  phase: GradedPhase,
  grader: GraderPlan,
  { host: { session }, plan, gates, signal, ...options }: PhaseGateOptions,
): Promise<TestRunPayload> {
  const runs: TestRunPayload[] = [];
  const snapshots = {
    put: () => Promise.reject(new Error('the workspace of a gate is not stored')),
    get: () => {
      const { chunks, report } = session.snapshot({ bytesMax: plan.sandbox.resources.workspace_bytes });
      report.catch(() => undefined);
      return chunks;
    },
  };
  const { sandboxes, images, starvationMax, artifacts, clock, onError, history } = options;
  for (let tries = 1; tries <= TRIES; tries += 1) {
    signal.throwIfAborted();
    const verification = await verifyAttempt({
      ...{ sandboxes, images, artifacts, clock, history, snapshots, signal, phase },
      ...(starvationMax !== undefined && { starvationMax }),
      ...(onError && { onError }),
      ...(gates.takeCpu && { takeCpu: gates.takeCpu }),
      ...{ plan: grader, runId: plan.run_id, snapshot: WORKSPACE },
      onTestRun: (run) => runs.push(run),
    });
    const [run] = runs;
    if (verification.status === 'verified' && run) return run;
    signal.throwIfAborted();
    if (verification.status === 'failed' && verification.code === CPU_STARVED.code) {
      throw new AttemptEnded(CPU_STARVED);
    }
  }
  throw new AttemptEnded(UNGRADED);
}

/** Of the sandbox itself: nothing is stored. */
const WORKSPACE = { sha256: '', bytes: 0 };
