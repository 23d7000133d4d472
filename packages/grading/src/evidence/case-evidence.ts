import {
  type ArtifactEvidence,
  type Asset,
  type CaseEntry,
  type CaseEvidence,
  type EvaluationSpec,
  type GraderFile,
  isJsonObject,
  type Manifest,
  type Solution,
} from '@agentclash/challengepack';

/** The parts of a stored case that evidence has, as a database gives them back. */
export interface StoredCaseView {
  challenge_key: string;
  kind: string;
  document: Record<string, unknown>;
}

/** The text of a stored file by artifact id: null for a file that is not UTF-8. */
export type ArtifactTexts = ReadonlyMap<string, string | null>;

/** The assets that a case can name by key: its own, its challenge's, the version's; the nearest wins. */
export function assetsInScope(manifest: Manifest, stored: StoredCaseView): Asset[] {
  const challenge = manifest.challenges.find(({ key }) => key === stored.challenge_key);
  const own = listOf<Asset>(caseDocument(stored).assets);
  const byKey = new Map<string, Asset>();
  for (const asset of [...own, ...(challenge?.assets ?? []), ...(manifest.version.assets ?? [])]) {
    if (!byKey.has(asset.key)) byKey.set(asset.key, asset);
  }
  return [...byKey.values()];
}

/**
 * The assets whose content a reference of spec or case may name: all but those that only graders in code and solutions use,
 * which can be large. In doubt an asset is among them.
 */
export function assetsWithText(
  { manifest, spec }: { manifest: Manifest; spec: EvaluationSpec },
  stored: StoredCaseView,
  assets: Asset[],
): Asset[] {
  const { grader_files, inputs, expectations, user_simulator, solution } = caseDocument(stored);
  const challenge = manifest.challenges.find(({ key }) => key === stored.challenge_key);
  const unread = new Set([
    ...spec.validators.flatMap((each) => (each.type === 'script' ? each.config.artifact_key : [])),
    ...[
      ...(manifest.version.grader_files ?? []),
      ...(challenge?.grader_files ?? []),
      ...listOf<GraderFile>(grader_files),
    ].map(({ artifact_key }) => artifact_key),
    ...[challenge?.solution, solution as Solution | undefined].flatMap((each) =>
      (each?.files ?? []).flatMap(({ asset }) => asset ?? []),
    ),
  ]);
  if (unread.size === 0) return assets;
  const named = JSON.stringify({ inputs, expectations, user_simulator });
  const ofSpec = JSON.stringify(manifest.evaluation_spec);
  const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
  return assets.filter(
    ({ key }) =>
      !unread.has(key) || named.includes(inJson(key)) || ofSpec.includes(inJson(`artifact.${key}`)),
  );
}

/** The stored case as validators read it: entries by key, artifacts with their texts. */
export function caseEvidence(stored: StoredCaseView, assets: Asset[], texts: ArtifactTexts): CaseEvidence {
  const document = caseDocument(stored);
  return {
    payload: document.payload ?? {},
    inputs: byKey(listOf<KeyedEntry>(document.inputs)),
    expectations: byKey(listOf<KeyedEntry>(document.expectations)),
    artifacts: Object.fromEntries(assets.map((asset) => [asset.key, artifactEvidence(asset, texts)])),
  };
}

type KeyedEntry = CaseEntry & { key: string };

/** A payload-only case is stored as the bare payload. */
function caseDocument({ kind, document }: StoredCaseView): Record<string, unknown> {
  return kind === 'payload' ? { payload: document } : document;
}

function byKey(entries: KeyedEntry[]): Record<string, CaseEntry> {
  return Object.fromEntries(entries.map(({ key, ...entry }) => [key, entry]));
}

function artifactEvidence(
  { key, kind, path, media_type, artifact_id }: Asset,
  texts: ArtifactTexts,
): ArtifactEvidence {
  const content = artifact_id === undefined ? undefined : texts.get(artifact_id);
  return {
    key,
    path,
    ...(kind !== undefined && { kind }),
    ...(media_type !== undefined && { media_type }),
    ...(content !== undefined && { content }),
  };
}

/** Publishing stores a list of records here. */
function listOf<Entry>(value: unknown): Entry[] {
  return Array.isArray(value) ? (value.filter((entry) => isJsonObject(entry)) as Entry[]) : [];
}
