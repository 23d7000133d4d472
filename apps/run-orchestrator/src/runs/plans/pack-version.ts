import type { ArtifactRef } from '@agentclash/attempt-plan';
import {
  type Case,
  type EvaluationSpec,
  type Manifest,
  readEvaluationSpec,
  storedCases,
} from '@agentclash/challengepack';
import { ContractError, type StoredCase } from '@agentclash/contracts';

/** A published version as the orchestrator reads it. It never changes. */
export interface PackVersionView {
  manifest: Manifest;
  spec: EvaluationSpec;
  /** The stored files that assets name, by artifact id. */
  artifacts: ReadonlyMap<string, ArtifactRef>;
}

export function specOf(manifest: Manifest): EvaluationSpec {
  return readEvaluationSpec(manifest.evaluation_spec);
}

/** Ids of all stored files that the manifest's assets name. */
export function assetArtifactIds(manifest: Manifest): string[] {
  const assets = [
    ...(manifest.version.assets ?? []),
    ...manifest.challenges.flatMap((challenge) => challenge.assets ?? []),
    ...manifest.input_sets.flatMap((set) => set.cases.flatMap((each) => each.assets ?? [])),
  ];
  return [...new Set(assets.flatMap(({ artifact_id }) => artifact_id ?? []))];
}

/** Fails with `not_found` when the version has no such input set. */
export function casesOf(manifest: Manifest, inputSetKey: string): Case[] {
  const set = manifest.input_sets.find(({ key }) => key === inputSetKey);
  if (set) return set.cases;
  throw new ContractError('not_found', `The version has no input set "${inputSetKey}".`);
}

export function caseOf(manifest: Manifest, inputSetKey: string, caseKey: string): Case {
  const found = casesOf(manifest, inputSetKey).find(({ case_key }) => case_key === caseKey);
  if (found) return found;
  throw new ContractError('not_found', `The input set "${inputSetKey}" has no case "${caseKey}".`);
}

/** The case as publishing stored it. */
export function storedCaseOf(manifest: Manifest, inputSetKey: string, caseKey: string): StoredCase {
  const cases = casesOf(manifest, inputSetKey);
  const position = cases.findIndex(({ case_key }) => case_key === caseKey);
  const only = {
    ...manifest,
    input_sets: [{ key: inputSetKey, name: '', cases: cases.slice(position, position + 1) }],
  };
  const [stored] = storedCases(only);
  if (position < 0 || !stored) {
    throw new ContractError('not_found', `The input set "${inputSetKey}" has no case "${caseKey}".`);
  }
  const { input_set_key, ...row } = stored;
  return { ...row, position, document: { ...row.document } };
}
