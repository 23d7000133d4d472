import type { ArtifactRef } from '@agentclash/attempt-plan';
import { Bus } from '@agentclash/bus';
import {
  type Case,
  filesOf,
  type Manifest,
  type Problem,
  readEvaluationSpec,
  readStoredCase,
} from '@agentclash/challengepack';
import {
  type Artifact,
  artifacts,
  type auditLeases,
  CASES_BY_KEY_MAX,
  ContractError,
  type Out,
  PACK_FILES_MAX,
  packs,
} from '@agentclash/contracts';
import { formatBytes } from '@agentclash/domain';
import { type AuditedCase, type AuditedPack, auditSizes, type DrawnCase } from '@agentclash/pack-audit';
import { Inject, Injectable } from '@nestjs/common';
import { MACHINE, type Machine } from '../machine/machine.js';

export type ClaimedAudit = NonNullable<Out<typeof auditLeases.claim>['audit']>;

/** The cases of an audit in memory, as JSON. */
const CASES_BYTES_MAX = 64 * 1024 * 1024;
/** As many as one request may name. */
const ARTIFACTS_AT_ONCE = 1_000;

/** Published versions as audits read them: with expectations and solutions, which no other path of this service reads. */
@Injectable()
export class AuditedVersions {
  constructor(
    private readonly bus: Bus,
    @Inject(MACHINE) private readonly machine: Pick<Machine, 'blobs' | 'auditThreads'>,
  ) {}

  /** Reads the cases that an audit with these options draws, and no others. */
  async read(audit: ClaimedAudit, signal: AbortSignal): Promise<AuditedPack> {
    const { workspace_id, version_id, slug, version_number: number, digest } = audit;
    const version = { workspace_id, version_id };
    const stored = await this.bus.call(packs.manifest, version);
    // The registry validated it when it was published.
    const manifest = stored.manifest as object as Manifest;
    const { drawn, total } = await this.draw(audit, manifest, signal);
    const cases = await this.casesOf(version, drawn, signal);
    const files = await this.artifactsOf(workspace_id, artifactIdsOf(manifest, cases));
    return {
      ...{ slug, number, digest, manifest, cases },
      casesTotal: total,
      spec: readEvaluationSpec(manifest.evaluation_spec),
      problems: await this.problemsOf(version, { manifest, files }),
      artifacts: refsOf(files),
      artifactReader: { read: async ({ sha256 }) => await this.machine.blobs.artifacts.get(sha256) },
    };
  }

  /** Draws page by page, so that a pack of a million cases takes no more memory than the drawn ones. */
  private async draw(
    { workspace_id, version_id, digest, quick, seed: given }: ClaimedAudit,
    { input_sets: sets }: Manifest,
    signal: AbortSignal,
  ): Promise<{ drawn: DrawnCase[]; total: number }> {
    const most = auditSizes(quick).cases;
    const seed = given ?? digest;
    const draws = this.machine.auditThreads.drawsOf(workspace_id, signal);
    let drawn: DrawnCase[] = [];
    let total = 0;
    for (const { key: inputSetKey } of sets) {
      for (let after: number | undefined; ; ) {
        signal.throwIfAborted();
        const page = await this.bus.call(packs.caseKeys, {
          workspace_id,
          version_id,
          input_set_key: inputSetKey,
          after,
        });
        const added = page.items.map(({ case_key, challenge_key }) => ({
          inputSetKey,
          case: { case_key, challenge_key },
        }));
        drawn = await draws([...drawn, ...added], { most, seed });
        total += added.length;
        after = page.items.at(-1)?.position;
        if (!page.has_more || after === undefined) break;
      }
    }
    return { drawn, total };
  }

  /** In the order of the keys. */
  private async casesOf(
    version: { workspace_id: string; version_id: string },
    drawn: readonly DrawnCase[],
    signal: AbortSignal,
  ): Promise<AuditedCase[]> {
    const cases: AuditedCase[] = [];
    let bytes = 0;
    for (const [input_set_key, keys] of keysBySet(drawn)) {
      const known = new Map<string, Case>();
      for (let rest = keys; rest.length > 0; ) {
        signal.throwIfAborted();
        const case_keys = rest.slice(0, CASES_BY_KEY_MAX);
        const page = await this.bus.call(packs.casesByKey, { ...version, input_set_key, case_keys });
        for (const item of page.items) {
          bytes += JSON.stringify(item.document).length;
          known.set(item.case_key, readStoredCase(item));
        }
        if (bytes > CASES_BYTES_MAX) throw casesTooLarge();
        rest = [...page.rest, ...rest.slice(CASES_BY_KEY_MAX)];
      }
      for (const key of keys) {
        const each = known.get(key);
        if (each) cases.push({ inputSetKey: input_set_key, case: each });
      }
    }
    return cases;
  }

  private async artifactsOf(workspace_id: string, ids: readonly string[]): Promise<Map<string, Artifact>> {
    const files = new Map<string, Artifact>();
    for (let at = 0; at < ids.length; at += ARTIFACTS_AT_ONCE) {
      const artifact_ids = ids.slice(at, at + ARTIFACTS_AT_ONCE);
      const { items } = await this.bus.call(artifacts.getMany, { workspace_id, artifact_ids });
      for (const file of items) files.set(file.id, file);
    }
    return files;
  }

  /** The problems that this release finds in the document; none where its text was not kept. */
  private async problemsOf(
    { workspace_id, version_id }: { workspace_id: string; version_id: string },
    { manifest, files }: { manifest: Manifest; files: ReadonlyMap<string, Artifact> },
  ): Promise<Problem[]> {
    const document = await this.documentOf({ workspace_id, version_id });
    if (document === undefined) return [];
    const beside = new Map<string, string>();
    for (const { path, artifact_id = '' } of filesOf(manifest)) {
      const sha256 = files.get(artifact_id)?.sha256;
      if (path !== undefined && sha256 !== undefined) beside.set(path, sha256);
    }
    const { errors, warnings } = await this.bus.call(packs.validate, {
      workspace_id,
      document_base64: document,
      files: [...beside].slice(0, PACK_FILES_MAX).map(([path, sha256]) => ({ path, sha256 })),
    });
    return [...errors, ...warnings] as Problem[];
  }

  private async documentOf(version: { workspace_id: string; version_id: string }) {
    try {
      return (await this.bus.call(packs.bundle, version)).document_base64;
    } catch (error) {
      if (error instanceof ContractError && error.code === 'not_found') return undefined;
      throw error;
    }
  }
}

function artifactIdsOf(manifest: Manifest, cases: readonly AuditedCase[]): string[] {
  const drawn = cases.flatMap(({ case: { assets = [] } }) => assets);
  return [...new Set([...filesOf(manifest), ...drawn].flatMap(({ artifact_id }) => artifact_id ?? []))];
}

function refsOf(files: ReadonlyMap<string, Artifact>): Map<string, ArtifactRef> {
  const refs = new Map<string, ArtifactRef>();
  for (const [id, { sha256, bytes }] of files) refs.set(id, { artifact_id: id, sha256, bytes });
  return refs;
}

function keysBySet(drawn: readonly DrawnCase[]): Map<string, string[]> {
  const keys = new Map<string, string[]>();
  for (const { inputSetKey, case: each } of drawn) {
    keys.set(inputSetKey, [...(keys.get(inputSetKey) ?? []), each.case_key]);
  }
  return keys;
}

function casesTooLarge(): ContractError {
  const most = formatBytes(CASES_BYTES_MAX);
  const message = `The cases of this audit are larger than ${most}. Run it as a quick audit, or move long texts into assets.`;
  return new ContractError('too_large', message);
}
