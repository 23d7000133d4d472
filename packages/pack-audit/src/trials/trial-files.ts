import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ArtifactRef } from '@agentclash/attempt-plan';
import type { SnapshotRef } from '@agentclash/domain';
import type { ArtifactReader, SnapshotStore } from '@agentclash/engine';
import type { PlannedTrial } from '../planning/tasks.js';

/**
 * The files of the agent of one trial, in memory, and its workspace, in a temporary folder: as large as the sandbox lets it
 * be.
 */
export class TrialFiles implements ArtifactReader, SnapshotStore {
  private readonly own: ReadonlyMap<string, Uint8Array>;
  private folder: string | undefined;
  /** By their digests. */
  private readonly workspaces = new Map<string, string>();

  constructor(
    files: PlannedTrial['files'],
    private readonly beside: ArtifactReader,
  ) {
    this.own = new Map(files.map(({ ref, bytes }) => [ref.artifact_id, bytes]));
  }

  async read(ref: ArtifactRef, signal: AbortSignal): Promise<Uint8Array> {
    return this.own.get(ref.artifact_id) ?? (await this.beside.read(ref, signal));
  }

  async put(chunks: AsyncIterable<Uint8Array>): Promise<SnapshotRef> {
    this.folder ??= await mkdtemp(path.join(tmpdir(), 'agentclash-trial-'));
    const hash = createHash('sha256');
    let bytes = 0;
    const measured = async function* () {
      for await (const chunk of chunks) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    };
    const file = path.join(this.folder, `${this.workspaces.size}.tar`);
    await pipeline(measured, createWriteStream(file, { mode: 0o600 }));
    const sha256 = hash.digest('hex');
    this.workspaces.set(sha256, file);
    return { sha256, bytes };
  }

  async *get({ sha256 }: SnapshotRef): AsyncGenerator<Uint8Array> {
    const file = this.workspaces.get(sha256);
    if (file === undefined) throw new Error('the workspace is not stored');
    yield* createReadStream(file);
  }

  async dispose(): Promise<void> {
    if (this.folder !== undefined) await rm(this.folder, { recursive: true, force: true });
  }
}
