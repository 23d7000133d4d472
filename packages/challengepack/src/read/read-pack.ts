import { EXECUTION_MODES, type ExecutionMode } from '@agentclash/domain';
import { PackCheck, type Surroundings } from '../checks/pack-check.js';
import { checkPack } from '../checks/pack-checks.js';
import { Decoding } from '../decode/decoding.js';
import { Fatal } from '../decode/fatal.js';
import { FieldPath } from '../decode/field-path.js';
import { decodeUtf8, parseYaml } from '../decode/parse-yaml.js';
import { type Problem, Problems } from '../decode/problems.js';
import type { Draft } from '../decode/shape.js';
import { isNull, LineIndex, locate, type SourceNode } from '../decode/source.js';
import type { Pack } from '../pack/model.js';
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
export type PackReading =
  | { valid: true; problems: Problem[]; summary: PackSummary; pack: Pack }
  | { valid: false; problems: Problem[]; summary: PackSummary; pack?: never };

/**
 * Reads a challenge pack: its YAML text, or its bytes in UTF-8. All problems are reported at once, in document order.
 * Never throws.
 */
export function readPack(source: string | Uint8Array, options: ReadOptions = {}): PackReading {
  let text = '';
  try {
    text = decodeUtf8(source);
    return readTree(parseYaml(text), text, options);
  } catch (error) {
    if (error instanceof Fatal) {
      return { valid: false, problems: [fatalProblem(error, text)], summary: UNREADABLE };
    }
    throw error;
  }
}

function readTree(source: SourceNode, text: string, options: ReadOptions): PackReading {
  if (source.kind !== 'map') throw new Fatal('type_mismatch', 'a pack is a map', source.at);
  const { strict = false, ...surroundings } = options;
  const problems = new Problems(source, new LineIndex(text), strict);
  const mode = executionModeOf(source);
  const authored = PACK.decode(source, FieldPath.root, new Decoding(problems, { executionMode: mode })) ?? {};
  const normalized = normalizePack(authored, mode);
  checkPack(new PackCheck({ normalized, source, problems, mode, surroundings }));
  const found = problems.list();
  if (problems.hasErrors()) {
    return { valid: false, problems: found, summary: summaryOf(normalized.pack, null) };
  }
  // Without errors nothing is missing from the draft.
  const pack = normalized.pack as Pack;
  return { valid: true, problems: found, summary: packSummary(pack), pack };
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

function summaryOf(pack: Draft<Pack>, digest: string | null): PackSummary {
  const sets = pack.input_sets;
  return {
    slug: pack.pack?.slug ?? null,
    number: pack.version?.number ?? null,
    execution_mode: pack.version?.execution_mode ?? null,
    challenges: pack.challenges?.length ?? null,
    input_sets: sets?.length ?? null,
    cases: sets?.reduce((count, set) => count + (set?.cases?.length ?? 0), 0) ?? null,
    tools: pack.tools?.custom?.length ?? 0,
    digest,
  };
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

/** A valid pack at a glance. */
function packSummary(pack: Pack): PackSummary {
  return summaryOf(pack, digestOf(manifestOf(pack)));
}
