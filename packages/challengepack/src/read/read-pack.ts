import { EXECUTION_MODES, type ExecutionMode } from '@agentclash/domain';
import { CaseFile } from '../case-files/case-file.js';
import { type CaseCheck, eachEntry, PackCheck, type Surroundings } from '../checks/pack-check.js';
import { checkPack } from '../checks/pack-checks.js';
import { Decoding } from '../decode/decoding.js';
import { Fatal } from '../decode/fatal.js';
import { FieldPath } from '../decode/field-path.js';
import { decodeUtf8, parseYaml } from '../decode/parse-yaml.js';
import { type Problem, Problems } from '../decode/problems.js';
import type { Draft } from '../decode/shape.js';
import { isNull, LineIndex, locate, type SourceNode } from '../decode/source.js';
import type { CasesFrom, InputSet, Pack } from '../pack/model.js';
import { digestOf } from '../publish/digest.js';
import { manifestOf } from '../publish/manifest.js';
import { normalizePack } from '../shapes/normalize.js';
import { PACK } from '../shapes/pack.js';
import { isBlank, trim } from '../text/white-space.js';

export interface ReadOptions extends Surroundings {
  /** Reports warnings as errors. */
  strict?: boolean;
}

/** The result of reading a document. `pack` is present exactly when no problem is an error. */
export type PackReading = {
  problems: Problem[];
  /** The number of problems that are only counted. */
  omitted: number;
  summary: PackSummary;
} & ({ valid: true; pack: Pack } | { valid: false; pack?: never });

/**
 * Reads a challenge pack: its YAML text, or its bytes in UTF-8. All problems are reported at once, in document order.
 * Data files are not read: without them the digest and the number of cases are unknown. Never throws.
 */
export function readPack(source: string | Uint8Array, options: ReadOptions = {}): PackReading {
  return openPack(source, options).end();
}

/** A pack whose document was read, and whose data files may be. */
export interface OpenPack {
  /** Those of input sets, in their order; none while the document has errors. */
  files: readonly CaseFile[];
  end(): PackReading;
}

/** Reads a challenge pack as far as it is in the document. Never throws. */
export function openPack(source: string | Uint8Array, options: ReadOptions = {}): OpenPack {
  let text = '';
  try {
    text = decodeUtf8(source);
    return openTree(parseYaml(text), text, options);
  } catch (error) {
    if (!(error instanceof Fatal)) throw error;
    const problems = [fatalProblem(error, text)];
    return { files: [], end: () => ({ valid: false, problems, omitted: 0, summary: UNREADABLE }) };
  }
}

function openTree(source: SourceNode, text: string, options: ReadOptions): OpenPack {
  if (source.kind !== 'map') throw new Fatal('type_mismatch', 'a pack is a map', source.at);
  const { strict = false, ...surroundings } = options;
  const problems = new Problems(source, new LineIndex(text), strict);
  const mode = executionModeOf(source);
  const facts = { executionMode: mode, hasConversations: hasConversations(source) };
  const authored = PACK.decode(source, FieldPath.root, new Decoding(problems, facts)) ?? {};
  const normalized = normalizePack(authored, mode);
  const check = new PackCheck({ normalized, source, problems, mode, surroundings });
  const checks = checkPack(check);
  const hasFiles = normalized.pack.input_sets?.some((set) => set?.cases_from !== undefined) ?? false;
  const files = hasFiles && !problems.hasErrors() ? caseFiles(check, checks) : [];
  return {
    files,
    end() {
      check.hasUnreadCases =
        hasFiles && (files.length === 0 || problems.hasErrors() || files.some((file) => !file.isEnded));
      checks.end();
      return readingOf(withRows(normalized.pack, files), check);
    },
  };
}

function caseFiles(check: PackCheck, checks: CaseCheck): CaseFile[] {
  return [...eachEntry(check.pack.input_sets, check.paths.inputSets)].flatMap(([set, setAt]) => {
    // Without errors nothing is missing from the settings.
    const settings = set.cases_from as CasesFrom | undefined;
    return settings ? [new CaseFile({ check, checks, set, settings, at: setAt.field('cases_from') })] : [];
  });
}

/** The pack with what was read of its data files. */
function withRows(pack: Draft<Pack>, files: readonly CaseFile[]): Draft<Pack> {
  const rows = new Map(files.filter(({ isEnded }) => isEnded).map((file) => [file.setKey, file.rows]));
  if (rows.size === 0) return pack;
  const sets = pack.input_sets?.map((set) => {
    const read = rows.get(set?.key ?? '');
    return set?.cases_from && read ? { ...set, cases_from: { ...set.cases_from, rows: read } } : set;
  });
  return { ...pack, ...(sets && { input_sets: sets }) };
}

function readingOf(draft: Draft<Pack>, { problems, hasUnreadCases }: PackCheck): PackReading {
  const found = { problems: problems.list(), omitted: problems.omitted };
  const summary = summaryOf(draft, hasUnreadCases);
  if (problems.hasErrors()) return { valid: false, ...found, summary };
  // Without errors nothing is missing from the draft.
  const pack = draft as Pack;
  const digest = hasUnreadCases ? null : digestOf(manifestOf(pack));
  return { valid: true, ...found, summary: { ...summary, digest }, pack };
}

function fatalProblem({ code, message, at }: Fatal, text: string): Problem {
  return { code, severity: 'error', field: '', message, ...new LineIndex(text).position(at) };
}

/** The mode of the document; undefined when that is faulty or there is no version. */
function executionModeOf(source: SourceNode): ExecutionMode | undefined {
  const version = locate(source, ['version']);
  if (!version.found || version.node.kind !== 'map') return undefined;
  const written = version.node.entries.get('execution_mode')?.value;
  if (!written) return 'native';
  if (written.kind !== 'scalar' || isNull(written)) return undefined;
  return isBlank(written.text) ? 'native' : EXECUTION_MODES.find((mode) => mode === trim(written.text));
}

/** True when a challenge has conversations of its own, whatever the mode of the document. */
function hasConversations(source: SourceNode): boolean {
  const found = locate(source, ['challenges']);
  if (!found.found || found.node.kind !== 'list') return false;
  return found.node.items.some((challenge) => {
    const mode = challenge.kind === 'map' ? challenge.entries.get('execution_mode')?.value : undefined;
    return mode?.kind === 'scalar' && trim(mode.text) === 'multi_turn';
  });
}

/** The paths of the files beside a pack that it refers to, in document order; empty for an unreadable document. */
export function filesBeside(source: string | Uint8Array): string[] {
  const paths = new Set<string>();
  readPack(source, {
    fileExists(path) {
      paths.add(path);
      return true;
    },
  });
  return [...paths];
}

/** A pack at a glance. A member is null when the document cannot be read that far. */
export interface PackSummary {
  slug: string | null;
  number: number | null;
  execution_mode: string | null;
  challenges: number | null;
  input_sets: number | null;
  cases: number | null;
  /** Custom tools. */
  tools: number | null;
  /** Null unless the pack is valid. */
  digest: string | null;
}

function summaryOf(pack: Draft<Pack>, hasUnreadCases: boolean): PackSummary {
  const sets = pack.input_sets;
  return {
    slug: pack.pack?.slug ?? null,
    number: pack.version?.number ?? null,
    execution_mode: pack.version?.execution_mode ?? null,
    challenges: pack.challenges?.length ?? null,
    input_sets: sets?.length ?? null,
    cases: hasUnreadCases ? null : (sets?.reduce((count, set) => count + casesIn(set), 0) ?? null),
    tools: pack.tools?.custom?.length ?? 0,
    digest: null,
  };
}

function casesIn(set: Draft<InputSet> | undefined): number {
  return set?.cases_from?.rows?.count ?? set?.cases?.length ?? 0;
}

/** The summary of a document of which nothing could be read. */
const UNREADABLE: PackSummary = {
  slug: null,
  number: null,
  execution_mode: null,
  challenges: null,
  input_sets: null,
  cases: null,
  tools: null,
  digest: null,
};
