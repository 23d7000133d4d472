import { type ArtifactEvidence, type CaseEntry, type CaseEvidence, caseText } from '../cases/case-text.js';
import type { FieldPath } from '../decode/field-path.js';
import type { Draft } from '../decode/shape.js';
import type { Reference } from '../evaluation-spec/references.js';
import type { Asset, Case } from '../pack/model.js';
import { eachEntry, type PackCheck, type PlacedCase } from './pack-check.js';

/** A placeholder for the content of a file, which is not known when a pack is read. No text of a pack holds a lone NUL pair. */
export const UNKNOWN_TEXT = '\u0000\u0000content of a file';

export interface CaseWithTexts {
  /** `set/case`. */
  name: string;
  at: FieldPath;
  /** As scoring finds it; undefined when the case lacks it. */
  textOf(reference: Reference): string | undefined;
  /** Where the entry that the reference names is written. */
  locationOf(reference: Reference): FieldPath | undefined;
}

/** True when anything in the input sets is wrong already: cases are repaired before their values are compared. */
export function areCasesFaulty(check: PackCheck): boolean {
  for (const field of check.problems.faultyFields()) if (/^input_sets\b/.test(field)) return true;
  return false;
}

/** The texts that the references of an evaluation spec find in the cases of a draft. */
export class CaseTexts {
  readonly #scopes = new Map<string | undefined, Record<string, ArtifactEvidence>>();
  /** The keys of all inputs and expectations. */
  readonly keys = { inputs: new Set<string>(), expectations: new Set<string>() };

  /** `readsFiles`: texts of small files beside the pack are read, where that is possible. */
  constructor(
    private readonly check: PackCheck,
    private readonly options: { readsFiles: boolean } = { readsFiles: true },
  ) {}

  of(cases: readonly PlacedCase[]): CaseWithTexts[] {
    for (const { case: each } of cases) {
      for (const list of ['inputs', 'expectations'] as const) {
        for (const entry of each[list] ?? []) if (entry?.key !== undefined) this.keys[list].add(entry.key);
      }
    }
    return cases.map((placed) => this.#caseOf(placed));
  }

  #caseOf({ set, case: each, at }: PlacedCase): CaseWithTexts {
    const evidence: CaseEvidence = {
      payload: each.payload ?? {},
      inputs: entriesByKey(each.inputs),
      expectations: entriesByKey(each.expectations),
      artifacts: this.#artifactsOf(each),
    };
    return {
      name: `${set.key ?? '?'}/${each.case_key ?? '?'}`,
      at,
      textOf: (reference) => caseText(evidence, reference),
      locationOf: (reference) => locationOf(each, at, reference),
    };
  }

  #artifactsOf(each: Draft<Case>): Record<string, ArtifactEvidence> {
    const shared = this.#scopes.get(each.challenge_key) ?? this.#sharedArtifacts(each.challenge_key);
    this.#scopes.set(each.challenge_key, shared);
    return each.assets?.length ? { ...shared, ...this.#artifactsByKey(each.assets) } : shared;
  }

  #sharedArtifacts(challengeKey: string | undefined): Record<string, ArtifactEvidence> {
    const { pack } = this.check;
    const challenge = pack.challenges?.find((candidate) => candidate?.key === challengeKey);
    return { ...this.#artifactsByKey(pack.version?.assets), ...this.#artifactsByKey(challenge?.assets) };
  }

  #artifactsByKey(
    assets: readonly (Draft<Asset> | undefined)[] | undefined,
  ): Record<string, ArtifactEvidence> {
    const { fileText } = this.check.surroundings;
    const byKey = new Map<string, ArtifactEvidence>();
    for (const asset of assets ?? []) {
      if (asset?.key === undefined || byKey.has(asset.key)) continue;
      const { key, kind, path, media_type, artifact_id } = asset;
      const isBeside = this.options.readsFiles && path !== undefined && artifact_id === undefined;
      byKey.set(key, {
        key,
        ...(kind !== undefined && { kind }),
        ...(path !== undefined && { path }),
        ...(media_type !== undefined && { media_type }),
        // Read only where a reference needs it.
        get content() {
          return (isBeside ? fileText?.(path) : undefined) ?? UNKNOWN_TEXT;
        },
      });
    }
    return Object.fromEntries(byKey);
  }
}

function locationOf(each: Draft<Case>, at: FieldPath, reference: Reference): FieldPath | undefined {
  if (reference.kind === 'case_payload') return at.field('payload').below(reference.path);
  if (reference.kind !== 'case_input' && reference.kind !== 'case_expectation') return undefined;
  const list = reference.kind === 'case_input' ? 'inputs' : 'expectations';
  for (const [entry, location] of eachEntry<{ key?: string }>(each[list], at.field(list))) {
    if (entry.key === reference.key) return location.field('value');
  }
  return undefined;
}

function entriesByKey(
  entries: readonly (({ key?: string } & CaseEntry) | undefined)[] | undefined,
): Record<string, CaseEntry> {
  const byKey = new Map<string, CaseEntry>();
  for (const entry of entries ?? []) {
    if (entry?.key !== undefined && !byKey.has(entry.key)) byKey.set(entry.key, entry);
  }
  return Object.fromEntries(byKey);
}
