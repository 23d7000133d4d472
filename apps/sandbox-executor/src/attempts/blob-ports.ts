import type { ArtifactReader, SnapshotStore } from '@agentclash/engine';
import { type Blobs, openArchive, putArchive } from '@agentclash/service-kit';

/** Stored files and workspaces of attempts, by content, in the blob store. */
export function blobPorts(blobs: Blobs): { artifacts: ArtifactReader; snapshots: SnapshotStore } {
  return {
    artifacts: { read: async ({ sha256 }) => await blobs.artifacts.get(sha256) },
    snapshots: {
      put: async (chunks) => await putArchive(blobs.evidence, chunks),
      get: ({ sha256 }) => openArchive(blobs.evidence, sha256),
    },
  };
}
