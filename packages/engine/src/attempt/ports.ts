import type { Egress } from '@agentclash/egress';
import type { Model } from '@agentclash/models';
import type { SandboxProvider } from '@agentclash/sandbox';
import type { Clock } from '../clock.js';
import type { ModelConfig } from '../plan.js';
import type { ArtifactReader } from '../staging/artifacts.js';

/** A workspace as its agent left it, addressed by lower-case hex sha256. */
export interface SnapshotRef {
  sha256: string;
  bytes: number;
}

/** Keeps copied-out workspaces. */
export interface SnapshotStore {
  put(chunks: AsyncIterable<Uint8Array>): Promise<SnapshotRef>;
  get(ref: SnapshotRef): AsyncIterable<Uint8Array>;
}

/** Where a live attempt is; the states between `queued` and `finished`. */
export type AttemptStage = 'preparing' | 'running' | 'settling' | 'verifying';

/** The world as an attempt may use it. */
export interface AttemptPorts {
  sandboxes: Pick<SandboxProvider, 'name' | 'create'>;
  egress: Egress;
  artifacts: ArtifactReader;
  snapshots: SnapshotStore;
  clock: Clock;
  /** Opens a deployment's model; without it, agents of kind `model` end as `unsupported`. */
  openModel?: (config: ModelConfig) => Model;
  onStage?: (stage: AttemptStage) => void;
  /** Hears what stood behind a fault of ours: for the log, never for users. */
  onFault?: (fault: unknown) => void;
}
