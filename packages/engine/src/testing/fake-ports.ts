import { createHash } from 'node:crypto';
import type { ArtifactRef } from '@agentclash/attempt-plan';
import type { SnapshotRef, SnapshotStore } from '../ports.js';
import type { ArtifactReader } from '../staging/artifacts.js';
import { type ArgumentChecks, argumentsCheck } from '../tools/arguments.js';
import type { PatternSearches, QueryLimiter } from '../workers/bounded-work.js';
import { searchPattern } from '../workers/pattern-search.js';

/** Stored bytes in memory, addressed as the blob store does. */
export class MemoryStore implements ArtifactReader, SnapshotStore {
  private readonly blobs = new Map<string, Uint8Array>();

  add(content: string | Uint8Array): ArtifactRef {
    const data = Buffer.from(content);
    const sha256 = createHash('sha256').update(data).digest('hex');
    this.blobs.set(sha256, data);
    return { artifact_id: sha256, sha256, bytes: data.length };
  }

  async read({ artifact_id }: ArtifactRef): Promise<Uint8Array> {
    const data = this.blobs.get(artifact_id);
    if (!data) throw new Error('no such blob');
    return data;
  }

  async put(chunks: AsyncIterable<Uint8Array>): Promise<SnapshotRef> {
    const parts: Uint8Array[] = [];
    for await (const chunk of chunks) parts.push(chunk);
    const { sha256, bytes } = this.add(Buffer.concat(parts));
    return { sha256, bytes };
  }

  async *get({ sha256 }: SnapshotRef): AsyncIterable<Uint8Array> {
    yield await this.read({ artifact_id: sha256, sha256, bytes: 0 });
  }
}

/** Checks at once, in the calling thread. */
export const argumentChecks: ArgumentChecks = {
  check: async ({ schema, args, opaque }) => argumentsCheck(schema)(args, opaque),
};

/** Searches at once, in the calling thread. */
export const patternSearches: PatternSearches = { search: async (task) => searchPattern(task) };

/** Every query runs at once. */
export const queryLimiter: QueryLimiter = { run: (work) => work() };
