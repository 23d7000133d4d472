import type { PackFile } from '@agentclash/contracts';
import { Blobs } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { ArtifactsStore } from './artifacts.store.js';
import { UnusedBytes } from './unused-bytes.js';

/** By the path of the file. */
export type ArtifactIds = ReadonlyMap<string, string>;

const NAME_MAX = 512;

/** The files beside packs as artifacts of a workspace. */
@Injectable()
export class PackFiles {
  constructor(
    private readonly store: ArtifactsStore,
    private readonly blobs: Blobs,
    private readonly unused: UnusedBytes,
  ) {}

  /** Registers each file; the same bytes are the same artifact under any name. */
  async keep(workspaceId: string, files: readonly PackFile[], actor: string): Promise<ArtifactIds> {
    const ids = new Map<string, string>();
    for (const { path, sha256, media_type: mediaType } of files) {
      const { bytes } = await this.blobs.artifacts.stat(sha256);
      const name = path.slice(-NAME_MAX);
      const artifact = await this.store.keepBytes(
        { workspaceId, sha256, bytes, name, mediaType, actor },
        this.blobs.artifacts,
      );
      ids.set(path, artifact.id);
    }
    return ids;
  }

  /** The existing artifacts of the files. */
  async find(workspaceId: string, files: readonly PackFile[]): Promise<ArtifactIds> {
    if (files.length === 0) return new Map();
    const known = await this.store.firstIds(
      workspaceId,
      files.map(({ sha256 }) => sha256),
    );
    return new Map(
      files.flatMap(({ path, sha256 }) => {
        const id = known.get(sha256);
        return id === undefined ? [] : [[path, id] as const];
      }),
    );
  }

  /** Removes the files of a rejected pack that no artifact has. */
  async drop(files: readonly PackFile[]): Promise<void> {
    for (const sha256 of new Set(files.map((file) => file.sha256))) await this.unused.remove(sha256);
  }
}
