import {
  assetsOf,
  DOCKERFILE_BYTES_MAX,
  type Manifest,
  pathBelow,
  splitDockerfile,
} from '@agentclash/challengepack';
import type { PackFile } from '@agentclash/contracts';
import { Blobs } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { ArtifactsStore } from '../artifacts/artifacts.store.js';
import type { BuildFacts } from '../reading/read-document.js';

const IDS_AT_ONCE = 1_000;

/** The files that the builds of a pack use. */
@Injectable()
export class BuildFiles {
  constructor(
    private readonly artifacts: ArtifactsStore,
    private readonly blobs: Blobs,
  ) {}

  /** Undefined where the pack builds no image. */
  async in(
    workspaceId: string,
    manifest: Manifest,
    files: readonly PackFile[],
  ): Promise<BuildFacts | undefined> {
    const dockerfiles = new Set(dockerfilesOf(manifest));
    if (dockerfiles.size === 0) return undefined;
    const folders = new Set([...dockerfiles].flatMap((path) => splitDockerfile(path)?.folder ?? []));
    const assets = assetsOf(manifest).filter(({ path }) =>
      [...folders].some((folder) => pathBelow(folder, path) !== undefined),
    );
    const bytes = await this.storedBytes(
      workspaceId,
      assets.flatMap(({ artifact_id: id }) => id ?? []),
    );
    const texts = new Map<string, string>();
    const beside = new Set(assets.filter((asset) => asset.artifact_id === undefined).map(({ path }) => path));
    for (const { path, sha256 } of files) {
      if (!beside.has(path) || !(await this.blobs.artifacts.has(sha256))) continue;
      const size = (await this.blobs.artifacts.stat(sha256)).bytes;
      bytes.set(path, size);
      if (dockerfiles.has(path) && size <= DOCKERFILE_BYTES_MAX) {
        texts.set(path, (await this.blobs.artifacts.get(sha256)).toString());
      }
    }
    return { bytes, texts };
  }

  private async storedBytes(workspaceId: string, ids: readonly string[]): Promise<Map<string, number>> {
    const bytes = new Map<string, number>();
    for (let at = 0; at < ids.length; at += IDS_AT_ONCE) {
      const found = await this.artifacts.findMany(workspaceId, ids.slice(at, at + IDS_AT_ONCE));
      for (const artifact of found) bytes.set(artifact.id, artifact.bytes);
    }
    return bytes;
  }
}

function dockerfilesOf({ sandbox, challenges, input_sets: sets }: Manifest): string[] {
  const cases = sets.flatMap(({ cases: each = [] }) => each);
  return [{ sandbox }, ...challenges, ...cases].flatMap((holder) => holder.sandbox?.dockerfile ?? []);
}
