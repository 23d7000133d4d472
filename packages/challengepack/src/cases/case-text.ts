import { ARTIFACT_PREFIX, INPUT_PREFIX } from '@agentclash/domain';
import type { ArtifactField, Reference } from '../evaluation-spec/references.js';
import { isJsonObject } from '../json.js';
import { valueText } from '../values/value-text.js';

/** An input or expectation of the case: its text is the first of value, source, artifact_key, path. */
export interface CaseEntry {
  readonly kind?: string;
  readonly value?: unknown;
  /** `input:KEY` or `artifact:KEY`. */
  readonly source?: string;
  readonly artifact_key?: string;
  readonly path?: string;
}

/** An asset that the case can name. */
export interface ArtifactEvidence {
  readonly key: string;
  readonly kind?: string;
  readonly path?: string;
  readonly media_type?: string;
  /** The text of its stored file: absent without one, null for a file that is not UTF-8. */
  readonly content?: string | null;
}

/** The stored case, entries by key. */
export interface CaseEvidence {
  readonly payload?: unknown;
  readonly inputs?: Readonly<Record<string, CaseEntry>>;
  readonly expectations?: Readonly<Record<string, CaseEntry>>;
  readonly artifacts?: Readonly<Record<string, ArtifactEvidence>>;
}

const SOURCE_HOPS_MAX = 8;

/** The text of a part of the case; undefined when the case lacks it, or the reference names no part of it. */
export function caseText(evidence: CaseEvidence, reference: Reference): string | undefined {
  switch (reference.kind) {
    case 'case_payload':
      return payloadText(evidence, reference.path);
    case 'case_input':
      return inputText(evidence, reference.key, reference.path);
    case 'case_expectation':
      return expectationText(evidence, reference.key, reference.path);
    case 'artifact':
      return artifactText(evidence, reference.key, reference.field);
    default:
      return undefined;
  }
}

/** The text at a path of the case's payload; undefined when the case lacks it. */
export function payloadText(ofCase: CaseEvidence, path: readonly string[]): string | undefined {
  return textAt(ofCase.payload ?? {}, path);
}

/** The text of an input, or at a path inside its value. */
export function inputText(
  ofCase: CaseEvidence,
  key: string,
  path: readonly string[] = [],
): string | undefined {
  return entryText(ofCase, own(ofCase.inputs, key), path);
}

/** The text of an expectation, or at a path inside its value. */
export function expectationText(
  ofCase: CaseEvidence,
  key: string,
  path: readonly string[] = [],
): string | undefined {
  return entryText(ofCase, own(ofCase.expectations, key), path);
}

/** The text of an artifact's stored file (its path when it has none), or one of its fields. */
export function artifactText(ofCase: CaseEvidence, key: string, field?: ArtifactField): string | undefined {
  const artifact = own(ofCase.artifacts, key);
  if (artifact === undefined) return undefined;
  return field === undefined ? storedText(artifact) : artifact[field];
}

function storedText({ content, path }: ArtifactEvidence): string | undefined {
  return content === undefined ? path : (content ?? undefined);
}

function entryText(
  ofCase: CaseEvidence,
  entry: CaseEntry | undefined,
  path: readonly string[],
): string | undefined {
  const value = entryValue(ofCase, entry, SOURCE_HOPS_MAX);
  return value === undefined ? undefined : textAt(value, path);
}

function entryValue(ofCase: CaseEvidence, entry: CaseEntry | undefined, hopsLeft: number): unknown {
  if (entry === undefined) return undefined;
  if (entry.value !== undefined && entry.value !== null) return entry.value;
  if (entry.source !== undefined)
    return hopsLeft > 0 ? sourceValue(ofCase, entry.source, hopsLeft - 1) : undefined;
  if (entry.artifact_key !== undefined) return artifactText(ofCase, entry.artifact_key);
  return entry.path;
}

function sourceValue(ofCase: CaseEvidence, source: string, hopsLeft: number): unknown {
  if (source.startsWith(INPUT_PREFIX)) {
    return entryValue(ofCase, own(ofCase.inputs, source.slice(INPUT_PREFIX.length).trim()), hopsLeft);
  }
  if (source.startsWith(ARTIFACT_PREFIX)) {
    return artifactText(ofCase, source.slice(ARTIFACT_PREFIX.length).trim());
  }
  return undefined;
}

function textAt(value: unknown, path: readonly string[]): string | undefined {
  let at = value;
  for (const segment of path) {
    at = member(at, segment);
    if (at === undefined) return undefined;
  }
  return valueText(at);
}

/** A member of an object by name, or an element of a list by its index in digits. */
function member(value: unknown, segment: string): unknown {
  if (Array.isArray(value)) return /^\d+$/.test(segment) ? value[Number(segment)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, segment) ? value[segment] : undefined;
}

function own<T>(entries: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return entries !== undefined && Object.hasOwn(entries, key) ? entries[key] : undefined;
}
