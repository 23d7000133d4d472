import type { AttemptPlan, PlannedPreset } from '@agentclash/attempt-plan';
import type { AttemptState } from '@agentclash/domain';
import type { HostDirectory, SandboxProvider } from '@agentclash/sandbox';
import type { DriverPorts } from '../agents/driver.js';
import type { AttemptHistory } from '../events/history.js';
import type { ProgramCallMeter } from '../programs/program-calls.js';
import type { BrokerPorts } from '../programs/program-ports.js';
import type { RecordingPorts } from '../recording/model-calls.js';
import type { ArgumentChecks } from '../tools/arguments.js';
import type { QueryLimiter } from '../workers/bounded-work.js';
import type { HostedSandbox } from './sandbox-host.js';
import type { SandboxImages } from './sandbox-images.js';
import type { SnapshotStore } from './settle.js';

/** The stage of a running attempt; the states between `queued` and `finished`. */
export type AttemptStage = Exclude<AttemptState, 'queued' | 'parked' | 'finished'>;

/** Everything outside of the engine that an attempt uses. */
export interface AttemptPorts extends DriverPorts, BrokerPorts, RecordingPorts {
  sandboxes: Pick<SandboxProvider, 'name' | 'create' | 'capabilities'>;
  images: SandboxImages;
  /** The maximum extension of a limit by starvation of CPU, as a multiple of the limit; default: the sandboxes' own. */
  starvationMax?: number;
  argumentChecks: ArgumentChecks;
  queryLimiter: QueryLimiter;
  snapshots: SnapshotStore;
  /** Absent: plans with gates cannot be run. */
  gradePhase?: GradePhase;
  /** Measures the calls of programs. */
  meterProgramCall?: ProgramCallMeter;
  /** The packages of a preset as directories for its sandbox, made when they are not there. */
  agentDirectories?: (preset: PlannedPreset, signal: AbortSignal) => Promise<HostDirectory[]>;
  onStage?: (stage: AttemptStage) => void;
  /** Receives the cause of an error of the platform: for the log, never for users. */
  onError?: (error: unknown) => void;
}

/** A phase of a conversation that has ended, and the validator of its gate. */
export interface GradedPhase {
  id: string;
  validatorKey: string;
}

export interface GradedPhaseOptions
  extends Pick<AttemptPorts, 'sandboxes' | 'images' | 'starvationMax' | 'artifacts' | 'clock' | 'onError'> {
  plan: AttemptPlan;
  history: AttemptHistory;
  /** The agent's, which stays as it is. */
  host: HostedSandbox;
  signal: AbortSignal;
}

/** Runs the tests of a phase on the workspace as it is; null: there is no score. Throws AttemptEnded. */
export type GradePhase = (phase: GradedPhase, options: GradedPhaseOptions) => Promise<number | null>;
