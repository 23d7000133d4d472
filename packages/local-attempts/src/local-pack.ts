import { createHash } from 'node:crypto';
import type { ArtifactRef } from '@agentclash/attempt-plan';
import {
  type Asset,
  attachArtifacts,
  type Case,
  type EvaluationSpec,
  type Manifest,
  manifestOf,
  type Pack,
  type Problem,
  readEvaluationSpec,
} from '@agentclash/challengepack';
import type { ArtifactReader } from '@agentclash/engine';

/** A case, with the input set that it is of. */
export interface PackCase {
  inputSetKey: string;
  case: Case;
}

/** All that attempts without a registry read of a pack. */
export interface PackSource {
  slug: string;
  number: number;
  digest: string;
  /** With artifact ids for the files beside the pack, and without the rows of data files. */
  manifest: Manifest;
  spec: EvaluationSpec;
  /** In the order of the document and of its rows. */
  cases: readonly PackCase[];
  /** The warnings of reading the document. */
  problems: readonly Problem[];
  /** Of the files beside the pack, by their ids. */
  artifacts: ReadonlyMap<string, ArtifactRef>;
  artifactReader: ArtifactReader;
}

/** Reads a file beside the pack by the path of its asset; undefined where there is none. */
type ReadBeside = (path: string) => Promise<Uint8Array | undefined>;

interface ReadPack {
  pack: Pack;
  digest: string;
  problems: readonly Problem[];
  /** The cases of data files, which the document lacks. */
  rows?: readonly PackCase[];
}

/** A pack of this machine, whose assets are the files beside it. Assets without a file are left without bytes. */
export async function localPack(
  { pack, digest, problems, rows = [] }: ReadPack,
  readBeside: ReadBeside,
): Promise<PackSource> {
  const files = new Map<string, Uint8Array>();
  const idOf = new Map<string, string>();
  for (const path of pathsOf(pack)) {
    const bytes = await readBeside(path);
    if (bytes === undefined) continue;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    files.set(sha256, bytes);
    idOf.set(path, sha256);
  }
  const attached = attachArtifacts(pack, (path) => idOf.get(path));
  const manifest = manifestOf(attached);
  return {
    slug: manifest.pack.slug,
    number: manifest.version.number,
    digest,
    manifest,
    spec: readEvaluationSpec(manifest.evaluation_spec),
    cases: [...documentCases(attached), ...rows],
    problems,
    artifacts: refsOf(files),
    artifactReader: { read: async ({ artifact_id }) => bytesOf(artifact_id, files) },
  };
}

function* documentCases({ input_sets: sets }: Pack): Generator<PackCase> {
  for (const { key, cases = [] } of sets) for (const each of cases) yield { inputSetKey: key, case: each };
}

function pathsOf({ version, challenges, input_sets: sets }: Pack): Set<string> {
  const holders: { assets?: Asset[] }[] = [
    version,
    ...challenges,
    ...sets.flatMap(({ cases = [] }) => cases),
  ];
  const assets = holders.flatMap((holder) => holder.assets ?? []);
  return new Set(assets.flatMap(({ path, artifact_id }) => (artifact_id === undefined ? [path] : [])));
}

function refsOf(files: ReadonlyMap<string, Uint8Array>): Map<string, ArtifactRef> {
  const refs = new Map<string, ArtifactRef>();
  for (const [id, { length: bytes }] of files) refs.set(id, { artifact_id: id, sha256: id, bytes });
  return refs;
}

function bytesOf(id: string, files: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const bytes = files.get(id);
  if (bytes) return bytes;
  throw new Error(`the artifact ${id} has no bytes on this machine`);
}
