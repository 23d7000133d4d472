import { ContractError } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { isReferredTo } from '../artifacts/deletions.store.js';
import type { Prisma } from '../generated/client.js';
import type { SetCases } from './case-rows.js';
import { insertCases } from './cases.store.js';

export type Transaction = Prisma.TransactionClient;

export interface NewVersion {
  pack: { slug: string; name: string; family: string; description?: string | undefined };
  number: number;
  digest: string;
  executionMode: string;
  bundleArtifactId: string | null;
  /** All that the version refers to, each once. */
  artifactIds: string[];
  summary: string;
  manifest: string;
  actor: string;
  inputSets: NewInputSet[];
}

interface NewInputSet {
  key: string;
  name: string;
  description?: string | undefined;
  challengeKey: string;
  challengeKeys: string[];
  caseCount: number;
  cases: SetCases['batches'];
}

export interface VersionIds {
  packId: string;
  versionId: string;
  evaluationSpecId: string;
  bundleArtifactId: string | null;
  inputSets: { id: string; key: string }[];
}

/** Of a transaction that writes a version, and what each case adds to it. */
const PUBLISH_MS_MAX = 12_000;
const CASE_MS_MAX = 0.1;
const REFERENCES_AT_ONCE = 10_000;

/** Milliseconds. */
export function publishTimeoutMs({ inputSets }: NewVersion): number {
  const cases = inputSets.reduce((sum, { caseCount }) => sum + caseCount, 0);
  return PUBLISH_MS_MAX + cases * CASE_MS_MAX;
}

/** Writes a version of an existing pack. Fails with `conflict` when an artifact of it was just deleted. */
export async function writeVersion(
  tx: Transaction,
  packId: string,
  version: NewVersion,
): Promise<VersionIds> {
  const { pack: _, inputSets, actor, artifactIds, ...columns } = version;
  const ids = {
    packId,
    versionId: newId(),
    evaluationSpecId: newId(),
    bundleArtifactId: columns.bundleArtifactId,
  };
  await tx.version.create({
    data: {
      id: ids.versionId,
      packId,
      evaluationSpecId: ids.evaluationSpecId,
      publishedBy: actor,
      ...columns,
    },
  });
  await refer(tx, ids.versionId, artifactIds);
  const sets: VersionIds['inputSets'] = [];
  for (const [position, { cases, ...set }] of inputSets.entries()) {
    const id = newId();
    const row = { ...set, description: set.description ?? null };
    await tx.inputSet.create({ data: { id, versionId: ids.versionId, position, ...row } });
    for await (const batch of cases) await insertCases(tx, id, batch);
    sets.push({ id, key: set.key });
  }
  return { ...ids, inputSets: sets };
}

/** A pack has the description of the version with the highest number, independent of the order of publishing. */
export async function isNewest(tx: Transaction, packId: string, number: number): Promise<boolean> {
  return (await tx.version.count({ where: { packId, number: { gt: number } } })) === 0;
}

/** From here on the artifacts cannot be deleted. Fails with `conflict` when one just was. */
async function refer(tx: Transaction, versionId: string, artifactIds: string[]): Promise<void> {
  const data = artifactIds.map((artifactId) => ({ versionId, artifactId }));
  for (let at = 0; at < data.length; at += REFERENCES_AT_ONCE) {
    try {
      await tx.versionArtifact.createMany({ data: data.slice(at, at + REFERENCES_AT_ONCE) });
    } catch (cause) {
      if (!isReferredTo(cause)) throw cause;
      const detail = 'An artifact that the pack names was deleted at the same moment.';
      throw new ContractError('conflict', detail, {}, { cause });
    }
  }
}
