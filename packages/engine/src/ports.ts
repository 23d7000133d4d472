import type { ModelConfig, ModelConnection, PlannedPreset } from '@agentclash/attempt-plan';
import type { AttemptState, SnapshotRef } from '@agentclash/domain';
import type { Egress } from '@agentclash/egress';
import type { McpMessage, PreparedCall, RawCall, RefusedCall } from '@agentclash/model-broker';
import type { ForwardingModel, Model } from '@agentclash/models';
import type { HostDirectory, SandboxProvider } from '@agentclash/sandbox';
import type { Clock } from './clock.js';
import type { PeerLookup } from './model/peer-standings.js';
import type { ProgramCallMeter } from './programs/program-calls.js';
import type { ArtifactReader } from './staging/artifacts.js';
import type { ArgumentChecks } from './tools/arguments.js';
import type { PatternSearches, QueryLimiter } from './workers/bounded-work.js';

/** Keeps copied-out workspaces. */
export interface SnapshotStore {
  put(chunks: AsyncIterable<Uint8Array>): Promise<SnapshotRef>;
  get(ref: SnapshotRef): AsyncIterable<Uint8Array>;
}

/** The stage of a running attempt; the states between `queued` and `finished`. */
export type AttemptStage = Exclude<AttemptState, 'queued' | 'parked' | 'finished'>;

/** Everything outside of the engine that an attempt uses. */
export interface AttemptPorts {
  sandboxes: Pick<SandboxProvider, 'name' | 'create' | 'capabilities'>;
  /** The maximum extension of a limit by starvation of CPU, as a multiple of the limit; default: the sandboxes' own. */
  starvationMax?: number;
  egress: Egress;
  artifacts: ArtifactReader;
  argumentChecks: ArgumentChecks;
  patternSearches: PatternSearches;
  queryLimiter: QueryLimiter;
  snapshots: SnapshotStore;
  clock: Clock;
  /** Opens the model of a deployment or a simulator; without it, attempts that need one end as `unsupported`. */
  openModel?: (config: ModelConfig) => Model;
  /** Opens a model that a program calls through the broker; without it, such attempts end as `unsupported`. */
  openProgramModel?: (connection: ModelConnection) => ForwardingModel;
  /** Measures the calls of programs. */
  meterProgramCall?: ProgramCallMeter;
  /** Reads the requests of programs, off the shared threads; default: on this thread. */
  prepareCalls?: (call: RawCall, signal: AbortSignal) => Promise<PreparedCall | RefusedCall>;
  /** Reads the messages of programs to their tools, off the shared threads; default: on this thread. */
  readMessages?: (body: Uint8Array, signal: AbortSignal) => Promise<McpMessage>;
  /** The packages of a preset as directories for its sandbox, made when they are not there. */
  agentDirectories?: (preset: PlannedPreset, signal: AbortSignal) => Promise<HostDirectory[]>;
  /** Reads a variable that a credential names (`env://NAME`); given only where the operator allows such references. */
  readVariable?: (name: string) => string | undefined;
  /** Whether a person has requested a manual phase; called when the phase is reached. */
  isPhaseRequested?: (phaseId: string, signal: AbortSignal) => Promise<boolean>;
  /** The progress of the other lanes with this case. A lookup that fails is ignored. */
  peers?: PeerLookup;
  onStage?: (stage: AttemptStage) => void;
  /** Receives the cause of an error of the platform: for the log, never for users. */
  onError?: (error: unknown) => void;
}
