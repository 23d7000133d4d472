import { workingDirectoryOf } from '../cases/working-directory.js';
import { WORKSPACE_FILES, WORKSPACE_INPUT } from '../cases/workspace.js';
import { isJsonObject, type JsonValue, ownMember } from '../json.js';
import type { Asset, Case, KeyReference, Manifest } from '../pack/model.js';

/** A file that the agent's workspace receives; a relative `path` starts at the working directory. */
export type StagedFile = { path: string; asset: Asset } | { path: string; content: string };

/**
 * The files of a case, in staging order; a later file has replaced an earlier one at the same path. An asset that only
 * an expectation names is not among them.
 */
export function stagedFiles(manifest: Manifest, each: Case): StagedFile[] {
  const directory = workingDirectoryOf(manifest, each);
  const files = new Map<string, StagedFile>();
  for (const file of filesInOrder(manifest, each)) {
    files.set(resolvePath(directory, file.path), file);
  }
  return [...files.values()];
}

/** Finds an asset by key: in the case, its challenge, the version; the nearest wins. */
export function findAsset(manifest: Manifest, each: Case | undefined, key: string, challengeKey: string) {
  const challenge = manifest.challenges.find((candidate) => candidate.key === challengeKey);
  const scopes = [each?.assets, challenge?.assets, manifest.version.assets];
  for (const assets of scopes) {
    const found = assets?.find((asset) => asset.key === key);
    if (found) return found;
  }
  return undefined;
}

function* filesInOrder(manifest: Manifest, each: Case): Iterable<StagedFile> {
  const challengeKey = each.challenge_key;
  const challenge = manifest.challenges.find(({ key }) => key === challengeKey);
  const assets = (keys: Iterable<string>, from: Case | undefined) =>
    [...keys].flatMap((key) => findAsset(manifest, from, key, challengeKey) ?? []).map(assetFile);
  yield* assets(keysOf(challenge?.artifact_refs), undefined);
  yield* assets(keysOf(each.artifacts), each);
  yield* assets(
    (each.inputs ?? []).flatMap(({ artifact_key: key }) => key ?? []),
    each,
  );
  yield* writtenFiles(ownMember(each.payload, WORKSPACE_FILES));
  for (const input of each.inputs ?? []) if (input.kind === WORKSPACE_INPUT) yield* writtenFiles(input.value);
}

function assetFile(asset: Asset): StagedFile {
  return { path: asset.path, asset };
}

function keysOf(references: readonly KeyReference[] | undefined): string[] {
  return (references ?? []).map(({ key }) => key);
}

/** The files that a payload or an input has written out. */
export function writtenFiles(value: JsonValue | undefined): { path: string; content: string }[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((file) => {
    if (!isJsonObject(file)) return [];
    const { path, content } = file;
    return typeof path === 'string' && typeof content === 'string' ? [{ path, content }] : [];
  });
}

/** Two spellings of one place are one place: `a`, `./a` and `/workspace/a`. */
function resolvePath(directory: string, path: string): string {
  const absolute = path.startsWith('/') ? path : `${directory}/${path}`;
  return absolute
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
    .join('/');
}
