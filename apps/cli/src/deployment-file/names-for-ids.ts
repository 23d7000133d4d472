import type { DeploymentSpec } from '@agentclash/api';
import type { FieldPath } from '../yaml/yaml-file.js';

/** A file beside the YAML file that a deployment brings along: `config.files[index]`. */
export interface LocalFile {
  index: number;
  /** Relative to the YAML file's folder. */
  from: string;
}

/** Stands for an id that is not known yet, where a schema wants one. */
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

/** Members that the file writes as names or files, by the member of the HTTP body that they stand for. */
const AUTHORED_NAMES: Readonly<Record<string, string>> = {
  runtime_profile_id: 'runtime_profile',
  artifact_id: 'from',
};

/** The body of the HTTP API for what the file says, with a stand-in wherever the file names something. */
export function specOf(authored: unknown): {
  spec: unknown;
  profile: string | undefined;
  files: LocalFile[];
} {
  if (!isRecord(authored)) return { spec: authored, profile: undefined, files: [] };
  const { runtime_profile: profile, ...spec } = authored;
  const files: LocalFile[] = [];
  if (isRecord(spec.config) && Array.isArray(spec.config.files)) {
    const entries: unknown[] = spec.config.files;
    spec.config = { ...spec.config, files: entries.map((entry, index) => withStandIn(entry, index, files)) };
  }
  if (profile === undefined || profile === null) return { spec, profile: undefined, files };
  // A name that is no text has to fail where an id would.
  const runtime_profile_id = typeof profile === 'string' ? UNKNOWN_ID : profile;
  return { spec: { ...spec, runtime_profile_id }, profile: String(profile), files };
}

function withStandIn(entry: unknown, index: number, files: LocalFile[]): unknown {
  if (!isRecord(entry) || entry.from === undefined) return entry;
  const { from, ...rest } = entry;
  if (typeof from !== 'string') return { ...rest, artifact_id: from };
  files.push({ index, from });
  return { ...rest, artifact_id: UNKNOWN_ID };
}

/** The way back, for what is said of the body: faults are told where the author wrote. */
export function authoredPath(path: FieldPath): FieldPath {
  return path.map((step) => (typeof step === 'string' ? (AUTHORED_NAMES[step] ?? step) : step));
}

/** The body with real ids in the places of stand-ins. */
export function withIds(
  spec: DeploymentSpec,
  ids: { profileId: string | undefined; artifactIds: ReadonlyMap<number, string> },
): DeploymentSpec {
  const { profileId, artifactIds } = ids;
  const named = profileId === undefined ? spec : { ...spec, runtime_profile_id: profileId };
  if (named.kind !== 'program' || named.config.files === undefined) return named;
  const files = named.config.files.map((file, index) => ({
    ...file,
    artifact_id: artifactIds.get(index) ?? file.artifact_id,
  }));
  return { ...named, config: { ...named.config, files } };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
