import { canonicalJson, digestOf, filesOf, type Manifest, publishDecision } from '@agentclash/challengepack';
import { ContractError } from '@agentclash/contracts';
import type { SpooledSet } from '../reading/read-cases.js';
import { casesBySet } from './case-rows.js';
import type { KnownSlug } from './packs.store.js';
import type { NewVersion, VersionIds } from './version-rows.store.js';

interface Bundle {
  manifest: Manifest;
  /** The cases of its data files. */
  spooled: readonly SpooledSet[];
  summary: object;
  /** Artifact id of the document, where it is kept. */
  bundle: string | null;
  actor: string;
}

/** The rows that publishing a manifest writes. */
export function newVersion({ manifest, spooled, summary, bundle, actor }: Bundle): NewVersion {
  const cases = casesBySet(manifest, spooled);
  const { slug, name, family, description } = manifest.pack;
  const digest = digestOf(manifest);
  return {
    pack: { slug, name, family, description },
    number: manifest.version.number,
    digest,
    executionMode: manifest.version.execution_mode,
    bundleArtifactId: bundle,
    artifactIds: [...new Set([...(bundle === null ? [] : [bundle]), ...artifactIdsIn(manifest)])],
    summary: JSON.stringify({ ...summary, digest }),
    manifest: canonicalJson(manifest),
    actor,
    inputSets: manifest.input_sets.map((set) => {
      const { count, challengeKeys, batches } = cases.get(set.key) ?? {
        count: 0,
        challengeKeys: [],
        batches: [],
      };
      return {
        key: set.key,
        name: set.name,
        description: set.description,
        challengeKey: challengeKeys[0] ?? '',
        challengeKeys,
        caseCount: count,
        cases: batches,
      };
    }),
  };
}

function artifactIdsIn(manifest: Manifest): string[] {
  return filesOf(manifest).flatMap(({ artifact_id }) => artifact_id ?? []);
}

/** Postgres text cannot hold this character, and no name or key needs it. */
const NUL = '\0';

/** The field path of the first name or key with U+0000, which Postgres columns cannot store. */
export function unstorableName({ pack, input_sets }: Manifest): string | undefined {
  if (pack.name.includes(NUL)) return 'pack.name';
  if (pack.family.includes(NUL)) return 'pack.family';
  if (pack.description?.includes(NUL)) return 'pack.description';
  for (const [index, set] of input_sets.entries()) {
    const at = `input_sets[${index}]`;
    if ([set.key, set.name, set.description ?? ''].some((text) => text.includes(NUL))) return at;
    const invalid = (set.cases ?? []).findIndex((each) =>
      [each.case_key, each.item_key, each.challenge_key].join().includes(NUL),
    );
    if (invalid >= 0) return `${at}.cases[${invalid}]`;
  }
  return undefined;
}

/**
 * `write` for a manifest to be written, or the ids that it was published under. Fails where it conflicts with the
 * existing pack.
 */
export function outcomeOf(known: KnownSlug | undefined, incoming: Manifest): 'write' | VersionIds {
  const sameNumber = known?.sameNumber;
  const existing = known && {
    header: { name: known.name, family: known.family },
    ...(sameNumber && { sameNumber: JSON.parse(sameNumber.manifest) as Manifest }),
  };
  const decision = publishDecision(existing, incoming);
  const { slug } = incoming.pack;
  if (decision.status === 201) return 'write';
  if (decision.status === 200 && sameNumber !== undefined) return sameNumber.ids;
  if (decision.status === 409 && decision.code === 'pack_metadata_conflict') {
    const changed = decision.changed_fields.map((field) => `${field} "${known?.[field]}"`).join(' and ');
    throw new ContractError('pack_metadata_conflict', `The pack ${slug} exists with ${changed}.`, {
      changed_fields: decision.changed_fields,
    });
  }
  const sections =
    decision.status === 409 && decision.code === 'version_exists' ? decision.changed_sections : [];
  const { number } = incoming.version;
  const counts = filesOf(incoming).length > 0 ? ' A changed file beside the pack counts.' : '';
  throw new ContractError(
    'version_exists',
    `${slug} version ${number} was published with another content of ${sections.join(', ')}.${counts} Publish under a new number.`,
    { changed_sections: sections },
  );
}
