import type { ArtifactRef } from '@agentclash/attempt-plan';
import { Bus } from '@agentclash/bus';
import type { Manifest } from '@agentclash/challengepack';
import { artifacts, packs } from '@agentclash/contracts';
import { caseImages, type PackVersionView, sharedArtifactIds, specOf } from '@agentclash/run-rules';
import { ValueCache } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';

/** A manifest takes megabytes at most; published versions never change. */
const VERSIONS_MAX = 16;
/** Most ids that one request may name. */
const ARTIFACTS_PER_REQUEST = 1_000;

/** Published versions, read from the registry once and kept while they are in use. */
@Injectable()
export class VersionsSource {
  private readonly views = new ValueCache<PackVersionView>(VERSIONS_MAX);

  constructor(private readonly bus: Bus) {}

  /** Fails with `not_found`, and `unavailable` while the registry is unavailable. */
  async get(workspaceId: string, versionId: string): Promise<PackVersionView> {
    return await this.views.get(`${workspaceId}/${versionId}`, () => this.read(workspaceId, versionId));
  }

  /**
   * Stored files by id; with `reserve`, none of them can be deleted until a new reference is stored. Fails with
   * `not_found`, naming the missing ones.
   */
  async artifacts(workspaceId: string, ids: string[], reserve = false): Promise<Map<string, ArtifactRef>> {
    const found = new Map<string, ArtifactRef>();
    for (let at = 0; at < ids.length; at += ARTIFACTS_PER_REQUEST) {
      const artifact_ids = ids.slice(at, at + ARTIFACTS_PER_REQUEST);
      const request = { workspace_id: workspaceId, artifact_ids, reserve };
      const { items } = await this.bus.call(artifacts.getMany, request);
      for (const { id, sha256, bytes } of items) found.set(id, { artifact_id: id, sha256, bytes });
    }
    return found;
  }

  private async read(workspaceId: string, versionId: string): Promise<PackVersionView> {
    const request = { workspace_id: workspaceId, version_id: versionId };
    const reply = await this.bus.call(packs.manifest, request);
    // A stored manifest was written by publishing, which checked it.
    const stored = reply.manifest as Partial<Manifest> as Manifest;
    const manifest: Manifest = { ...stored, input_sets: [] };
    return {
      manifest,
      spec: specOf(manifest),
      caseImages: caseImages(stored),
      artifacts: await this.artifacts(workspaceId, sharedArtifactIds(manifest)),
    };
  }
}
