import { Readable } from 'node:stream';
import type { ArtifactReader, SnapshotStore } from '@agentclash/engine';
import type { Blobs } from '@agentclash/service-kit';

/** Stored files and workspaces of attempts, by content, in the blob store. */
export function blobPorts(blobs: Blobs): { artifacts: ArtifactReader; snapshots: SnapshotStore } {
  return {
    artifacts: { read: async ({ sha256 }) => await blobs.artifacts.get(sha256) },
    snapshots: {
      put: async (chunks) => await blobs.evidence.put(Readable.from(chunks)),
      get: async function* ({ sha256 }) {
        yield* await blobs.evidence.open(sha256);
      },
    },
  };
}
