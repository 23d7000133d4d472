import { createHash } from 'node:crypto';
import type { ArtifactRef } from '@agentclash/attempt-plan';
import type { SnapshotRef } from '@agentclash/domain';
import type { ArtifactReader, SnapshotStore } from '@agentclash/engine';

/** Bytes in memory by their digest: files of agents, and the workspace of one attempt, which goes with it. */
export class MemoryStore implements ArtifactReader, SnapshotStore {
  private readonly blobs = new Map<string, Uint8Array>();

  constructor(private readonly beside?: ArtifactReader) {}

  readonly add = (bytes: Uint8Array): ArtifactRef => {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    this.blobs.set(sha256, bytes);
    return { artifact_id: sha256, sha256, bytes: bytes.length };
  };

  has(sha256: string): boolean {
    return this.blobs.has(sha256);
  }

  async read(ref: ArtifactRef, signal: AbortSignal): Promise<Uint8Array> {
    const own = this.blobs.get(ref.sha256);
    if (own) return own;
    if (this.beside) return await this.beside.read(ref, signal);
    throw new Error(`no bytes are stored for ${ref.artifact_id}`);
  }

  async put(chunks: AsyncIterable<Uint8Array>): Promise<SnapshotRef> {
    const parts: Uint8Array[] = [];
    for await (const chunk of chunks) parts.push(chunk);
    const { sha256, bytes } = this.add(Buffer.concat(parts));
    return { sha256, bytes };
  }

  async *get({ sha256 }: SnapshotRef): AsyncGenerator<Uint8Array> {
    const bytes = this.blobs.get(sha256);
    if (!bytes) throw new Error('the workspace is not stored');
    yield bytes;
  }
}
