import type { ArtifactRef } from '@agentclash/attempt-plan';
import type { Manifest } from '@agentclash/challengepack';

/** The parts of a pack that planning reads. It can be sent to a thread. */
export interface PackView {
  /** With artifact ids for the files beside the pack, and without the rows of data files. */
  manifest: Manifest;
  /** By their ids. */
  artifacts: ReadonlyMap<string, ArtifactRef>;
}
