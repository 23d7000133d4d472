import { canonicalJson, digestOf, type Manifest, storedCases } from '@agentclash/challengepack';
import type { NewVersion } from './packs.store.js';

interface Bundle {
  manifest: Manifest;
  summary: object;
  /** Artifact id of the document. */
  bundle: string;
  actor: string;
}

/** The rows that publishing a manifest writes. */
export function newVersion({ manifest, summary, bundle, actor }: Bundle): NewVersion {
  const rows = storedCases(manifest);
  const { slug, name, family, description } = manifest.pack;
  const digest = digestOf(manifest);
  return {
    pack: { slug, name, family, description },
    number: manifest.version.number,
    digest,
    executionMode: manifest.version.execution_mode,
    bundleArtifactId: bundle,
    artifactIds: [...new Set([bundle, ...assetArtifactIds(manifest)])],
    summary: JSON.stringify({ ...summary, digest }),
    manifest: canonicalJson(manifest),
    actor,
    inputSets: manifest.input_sets.map((set) => ({
      key: set.key,
      name: set.name,
      description: set.description,
      challengeKey: set.cases[0]?.challenge_key ?? '',
      cases: rows
        .filter((row) => row.input_set_key === set.key)
        .map((row) => ({
          position: row.position,
          challengeKey: row.challenge_key,
          caseKey: row.case_key,
          itemKey: row.item_key,
          kind: row.kind,
          document: canonicalJson(row.document),
        })),
    })),
  };
}

function assetArtifactIds({ version, challenges, input_sets }: Manifest): string[] {
  const holders = [version, ...challenges, ...input_sets.flatMap((set) => set.cases)];
  const assets = holders.flatMap((holder) => holder.assets ?? []);
  return assets.flatMap(({ artifact_id }) => artifact_id ?? []);
}
