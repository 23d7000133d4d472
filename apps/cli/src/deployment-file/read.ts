import { DeploymentSpec, RuntimeProfileSpec } from '@agentclash/api';
import { nearestName } from '@agentclash/challengepack';
import type { Problem } from '../yaml/problem-line.js';
import { type FieldPath, YamlFile } from '../yaml/yaml-file.js';
import { problemsOf } from './issues.js';
import { authoredPath, type LocalFile, specOf } from './names-for-ids.js';

/** A deployment as the file describes it; ids that its names stand for are put in later. */
export interface AuthoredDeployment {
  spec: DeploymentSpec;
  /** The runtime profile's name, where the file gives one. */
  profile: string | undefined;
  files: readonly LocalFile[];
  at: FieldPath;
}

interface AuthoredProfile {
  spec: RuntimeProfileSpec;
  at: FieldPath;
}

export interface DeploymentFile {
  source: YamlFile;
  profiles: readonly AuthoredProfile[];
  deployments: readonly AuthoredDeployment[];
  /** All faults; with any, the rest is incomplete. */
  problems: readonly Problem[];
}

const KINDS = DeploymentSpec.options.map(({ shape }) => shape.kind.value);
const LISTS = ['runtime_profiles', 'deployments'] as const;

/** Reads a deployment file: any of the lists, or one deployment alone. */
export function readDeploymentFile(text: string): DeploymentFile {
  const source = new YamlFile(text);
  const reading = new Reading(source);
  if (source.problems.length > 0) return reading.result(source.problems);
  const root = source.value;
  if (!isRecord(root)) {
    const message = `must be a map: ${LISTS.join(', ')}, or one deployment`;
    return reading.result([source.problemAt([], { code: 'type_mismatch', message })]);
  }
  if (Object.hasOwn(root, 'kind')) reading.deployment(root, []);
  else reading.lists(root);
  return reading.result();
}

class Reading {
  private readonly profiles: AuthoredProfile[] = [];
  private readonly deployments: AuthoredDeployment[] = [];
  private readonly problems: Problem[] = [];

  constructor(private readonly source: YamlFile) {}

  result(fatal: readonly Problem[] = []): DeploymentFile {
    const problems = [...fatal, ...this.problems].sort(
      (left, right) => left.line - right.line || left.column - right.column,
    );
    return { source: this.source, profiles: this.profiles, deployments: this.deployments, problems };
  }

  lists(root: Record<string, unknown>): void {
    for (const key of Object.keys(root)) {
      if (key.startsWith('x-') || LISTS.some((list) => list === key)) continue;
      const suggestion = nearestName(key, LISTS);
      const known = `is not known here: a deployment file holds ${LISTS.join(' and ')}`;
      const problem = { code: 'unknown_key', message: known, ...(suggestion && { suggestion }) };
      this.problems.push(this.source.problemAt([key], problem, 'key'));
    }
    this.list(root, 'runtime_profiles', (value, at) => this.profile(value, at));
    this.list(root, 'deployments', (value, at) => this.deployment(value, at));
  }

  deployment(value: unknown, at: FieldPath): void {
    const { spec: unchecked, profile, files } = specOf(value);
    const checked = DeploymentSpec.safeParse(unchecked);
    if (checked.success) {
      this.deployments.push({ spec: checked.data, profile, files, at });
      return;
    }
    const place = { file: this.source, base: at, authored: authoredPath, nearest: nearestName };
    this.problems.push(...problemsOf(checked, place));
    this.mendKind(unchecked, place);
  }

  /** A kind that is misspelt hides the entry's other faults: they are those of the nearest kind. */
  private mendKind(spec: unknown, place: Parameters<typeof problemsOf>[1]): void {
    if (!isRecord(spec) || typeof spec.kind !== 'string') return;
    const kind = nearestName(spec.kind, KINDS);
    if (kind === undefined || kind === spec.kind) return;
    const mended = DeploymentSpec.safeParse({ ...spec, kind });
    if (!mended.success) this.problems.push(...problemsOf(mended, place));
  }

  private profile(value: unknown, at: FieldPath): void {
    const checked = RuntimeProfileSpec.safeParse(value);
    if (checked.success) this.profiles.push({ spec: checked.data, at });
    else this.problems.push(...problemsOf(checked, { file: this.source, base: at, nearest: nearestName }));
  }

  private list(
    root: Record<string, unknown>,
    key: string,
    read: (value: unknown, at: FieldPath) => void,
  ): void {
    const value = root[key];
    if (value === undefined || value === null) return;
    if (!Array.isArray(value)) {
      this.problems.push(this.source.problemAt([key], { code: 'type_mismatch', message: 'must be a list' }));
      return;
    }
    const seen = new Set<unknown>();
    value.forEach((entry: unknown, index) => {
      const at = [key, index];
      const name = isRecord(entry) ? entry.name : undefined;
      if (name !== undefined && seen.has(name)) {
        const problem = { code: 'not_unique', message: 'repeats an earlier name' };
        this.problems.push(this.source.problemAt([...at, 'name'], problem));
      }
      seen.add(name);
      read(entry, at);
    });
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
