import type { VectorDriver } from '@agentclash/testkit/vectors';
import { expect } from 'expect';
import type { Problem } from '../../decode/problems.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.js';
import type { Case, Manifest } from '../../pack/model.js';
import { agentView } from '../../publish/agent-view.js';
import { digestOf } from '../../publish/digest.js';
import { manifestOf } from '../../publish/manifest.js';
import { publishDecision } from '../../publish/publish-decision.js';
import { readStoredCase, storedCases } from '../../publish/stored-cases.js';
import { type PackReading, type ReadOptions, readPack } from '../../read/read-pack.js';
import { renderTemplate, templateContext } from '../../templates/template.js';
import { fillPlaceholders } from '../../tools/fill.js';
import { mockResponse } from '../../tools/mock.js';
import { mapOpaque } from '../../tools/opaque-text.js';
import { builtinTools } from '../../tools/policy.js';
import { type Patch, patched, stepsOf } from './patch.js';

type Wanted = Pick<Problem, 'code' | 'field'> & Partial<Pick<Problem, 'line' | 'column' | 'suggestion'>>;

interface Vector {
  id: string;
  patch?: Patch[];
  options?: { strict?: boolean; artifacts?: string[]; files?: string[]; published?: Patch[][] };
  expect: {
    valid: boolean;
    problems?: Wanted[];
    warnings?: Wanted[];
    ordered?: boolean;
    publish?: { status: number; code?: string; changed_sections?: string[] };
  };
  kept?: Kept[];
}

interface Kept {
  of?:
    | 'stored'
    | 'agent_view'
    | 'digest'
    | 'tool_args'
    | 'mock_answer'
    | 'template'
    | 'builtin_tools'
    | 'egress';
  path?: string;
  value?: JsonValue;
  absent?: boolean;
  lacks?: string;
  same_as_base?: boolean;
  tool?: string;
  arguments?: JsonObject;
  secrets?: Record<string, string>;
  template?: string;
  lenient?: boolean;
}

/** Reads a document, and checks what the accepted pack became. */
export const driver: VectorDriver<Vector> = {
  run(vector, { base }) {
    const { expect: wanted, options = {}, kept = [] } = vector;
    const reading = readPack(patched(String(base), vector.patch ?? []), optionsOf(options));
    const of = (severity: string) => reading.problems.filter((problem) => problem.severity === severity);
    expectProblems(of('error'), wanted.problems ?? [], wanted.ordered);
    expectProblems(of('warning'), wanted.warnings ?? [], wanted.ordered);
    expect(reading.valid).toBe(wanted.valid);
    if (!reading.valid) return;
    const manifest = manifestOf(reading.pack);
    for (const each of kept) expectKept(each, manifest, String(base));
    if (wanted.publish) expectDecision(manifest, String(base), vector);
  },
};

function optionsOf({ strict, artifacts, files }: NonNullable<Vector['options']>): ReadOptions {
  return {
    ...(strict !== undefined && { strict }),
    ...(artifacts && { artifactExists: (id) => artifacts.includes(id) }),
    ...(files && { fileExists: (path) => files.includes(path) }),
  };
}

function expectProblems(found: Problem[], wanted: Wanted[], isOrdered = false): void {
  const name = ({ code, field }: Wanted) => `${field} ${code}`;
  const order = (names: string[]) => (isOrdered ? names : names.sort());
  expect(order(found.map(name))).toEqual(order(wanted.map(name)));
  for (const { code, field, ...details } of wanted) {
    expect(found).toContainEqual(expect.objectContaining({ code, field, ...details }));
  }
}

function expectKept(kept: Kept, manifest: Manifest, base: string): void {
  // Reachability is judged where the guarded client is, by the engine's driver of the same vectors.
  if (kept.of === 'egress') return;
  if (kept.of === 'digest') {
    expect(digestOf(manifest) === digestOf(manifestOfText(base))).toBe(kept.same_as_base);
    return;
  }
  const source = SOURCES[kept.of ?? 'manifest'](manifest, kept);
  if (kept.lacks !== undefined) expect(JSON.stringify(source)).not.toContain(kept.lacks);
  else if (kept.absent) expect(select(source, kept.path)).toBeUndefined();
  else expect(select(source, kept.path)).toEqual(kept.value);
}

type Source = (manifest: Manifest, kept: Kept) => unknown;

const SOURCES: Record<Exclude<NonNullable<Kept['of']>, 'digest' | 'egress'> | 'manifest', Source> = {
  manifest: (manifest) => manifest,
  stored: storedCases,
  agent_view: (manifest) => agentView(manifest, firstCase(manifest)),
  tool_args: (manifest, { tool, arguments: args = {}, secrets = {} }) => {
    const filled = fillPlaceholders(implementationOf(manifest, tool).args ?? {}, args);
    return present(mapOpaque(filled, (text) => text.reveal((key) => secrets[key] ?? '')));
  },
  mock_answer: (manifest, { tool, arguments: args = {} }) =>
    mockResponse(implementationOf(manifest, tool), args),
  template: (manifest, { template = '', lenient }) => {
    const { payload, inputs } = firstCase(manifest);
    return renderTemplate(template, templateContext(payload, inputs), lenient ? 'lenient' : 'strict');
  },
  builtin_tools: builtinTools,
};

function firstCase(manifest: Manifest): Case {
  const [row] = storedCases(manifest);
  if (!row) throw new Error('the pack has no case');
  return readStoredCase(JSON.parse(JSON.stringify(row)));
}

function implementationOf(manifest: Manifest, name: string | undefined) {
  const tool = manifest.tools?.custom?.find((candidate) => candidate.name === name);
  if (!tool) throw new Error(`no tool ${name}`);
  return tool.implementation;
}

function select(source: unknown, path = ''): unknown {
  const json: JsonValue = present(source as JsonValue);
  return stepsOf(path).reduce<unknown>(
    (value, step) =>
      Array.isArray(value) ? value[Number(step)] : isJsonObject(value) ? value[step] : undefined,
    json,
  );
}

function present(value: JsonValue): JsonValue {
  return value === undefined ? value : JSON.parse(JSON.stringify(value));
}

function manifestOfText(text: string): Manifest {
  const reading: PackReading = readPack(text);
  if (!reading.valid) throw new Error(JSON.stringify(reading.problems));
  return manifestOf(reading.pack);
}

/** The result of publishing after everything in `published` was published. */
function expectDecision(manifest: Manifest, base: string, { options, expect: wanted }: Vector): void {
  const published = (options?.published ?? []).map((patch) => manifestOfText(patched(base, patch)));
  const sameSlug = published.filter(({ pack }) => pack.slug === manifest.pack.slug);
  const [first] = sameSlug;
  const sameNumber = sameSlug.find(({ version }) => version.number === manifest.version.number);
  const existing = first && { header: first.pack, ...(sameNumber && { sameNumber }) };
  expect(publishDecision(existing, manifest)).toMatchObject(wanted.publish ?? {});
}
