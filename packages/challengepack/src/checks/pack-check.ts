import type { ExecutionMode } from '@agentclash/domain';
import { FieldPath } from '../decode/field-path.js';
import type { ProblemCode } from '../decode/problem-codes.js';
import type { Problems, ReportOptions } from '../decode/problems.js';
import type { Draft } from '../decode/shape.js';
import { isNull, locate, type SourceNode } from '../decode/source.js';
import type { Asset, Case, InputSet, Pack } from '../pack/model.js';
import type { NormalizedPack } from '../shapes/normalize.js';
import { isBlank } from '../text/white-space.js';

/** The facts about a pack's surroundings that its reader knows. */
export interface Surroundings {
  /** True when a stored artifact with this id exists in the workspace; absent where that is unknown. */
  artifactExists?: (id: string) => boolean;
  /** True when a file exists beside the pack; absent where that is unknown. */
  fileExists?: (path: string) => boolean;
  /** True when images named by a tag are pinned to their digest before the pack is published. */
  pinsImages?: boolean;
  /** The size of a file beside the pack or of a stored one; undefined, or absent, where that is unknown. */
  fileBytes?: (file: { path?: string; artifact_id?: string }) => number | undefined;
  /**
   * True when a secret of the workspace is bound to no origin without an explicit choice; absent where that is unknown.
   */
  isUnboundSecret?: (key: string) => boolean;
  /** The text of a file beside the pack; undefined for one that is absent, no text, or too large to be tried. */
  fileText?: (path: string) => string | undefined;
  /** Why a member of an archive cannot be extracted; null for one that can, and absent where that is unknown. */
  memberProblem?: (archive: Partial<Asset>, member: string) => MemberProblem | null;
}

/** A member that the archive lacks, or one that cannot be used, with the reason for the author. */
export interface MemberProblem {
  code: 'artifact_not_found' | 'invalid_archive';
  message: string;
  suggestion?: string;
}

export interface PackCheckOptions {
  normalized: NormalizedPack;
  source: SourceNode;
  problems: Problems;
  /** Undefined when the authored mode is faulty: what depends on it is then not checked. */
  mode: ExecutionMode | undefined;
  surroundings: Surroundings;
}

/** A check of cases, which come in batches. */
export interface CaseCheck {
  add(cases: readonly PlacedCase[]): void;
  /** Called once, after all cases. */
  end?(): void;
}

/** A case of the draft with the place where it was written. */
export interface PlacedCase {
  set: Draft<InputSet>;
  case: Draft<Case>;
  at: FieldPath;
}

const ROOT = FieldPath.root;

/** The check of one normalised draft. Findings name authored paths. */
export class PackCheck {
  readonly pack: Draft<Pack>;
  readonly mode: ExecutionMode | undefined;
  readonly surroundings: Surroundings;
  readonly problems: Problems;
  /** True when some cases are in a file that was not read. */
  hasUnreadCases = false;
  /** The positions of the parts of the document. */
  readonly paths = {
    version: ROOT.field('version'),
    evaluationSpec: ROOT.field('version').field('evaluation_spec'),
    challenges: ROOT.field('challenges'),
    inputSets: ROOT.field('input_sets'),
    tools: ROOT.field('tools'),
    security: ROOT.field('security'),
  } as const;
  readonly #legacySets: ReadonlySet<number>;
  readonly #source: SourceNode;

  constructor({ normalized, source, problems, mode, surroundings }: PackCheckOptions) {
    this.pack = normalized.pack;
    this.mode = mode;
    this.surroundings = surroundings;
    this.problems = problems;
    this.#legacySets = normalized.legacySets;
    this.#source = source;
  }

  report(code: ProblemCode, at: FieldPath, options?: ReportOptions): void {
    this.problems.report(code, at, options);
  }

  /** Reports `required`, unless something unreadable was written there. */
  require(at: FieldPath, message?: string): void {
    if (!this.isUndecodable(at)) this.report('required', at, message === undefined ? {} : { message });
  }

  /** True when there is something that could not be read: checks that need it are skipped. */
  isUndecodable(at: FieldPath): boolean {
    return this.problems.isUndecodable(at);
  }

  /** True when the author wrote anything but null there, readable or not. */
  isWritten(at: FieldPath): boolean {
    const location = locate(this.#source, at.steps());
    return location.found && !isNull(location.node);
  }

  /** True when what the author wrote there is blank text. */
  isBlank(at: FieldPath): boolean {
    const { found, node } = locate(this.#source, at.steps());
    return found && node.kind === 'scalar' && node.value !== null && isBlank(node.text);
  }

  /** True when the author wrote a map without entries there. */
  isEmptyMap(at: FieldPath): boolean {
    const { found, node } = locate(this.#source, at.steps());
    return found && node.kind === 'map' && node.entries.size === 0;
  }

  /** True when the author wrote any of these fields of the record there. */
  hasAnyField(at: FieldPath, fields: readonly string[]): boolean {
    const location = locate(this.#source, at.steps());
    if (!location.found || location.node.kind !== 'map') return false;
    const { entries } = location.node;
    return fields.some((field) => entries.has(field));
  }

  /** True when the list there was written with an entry that could not be read, or could not be read itself. */
  hasHoles(entries: readonly unknown[] | undefined, at: FieldPath): boolean {
    return this.isUndecodable(at) || (entries?.includes(undefined) ?? false);
  }

  /** Every readable case of the document itself, in its order. */
  *cases(): Iterable<PlacedCase> {
    for (const [set, setAt, index] of eachEntry(this.pack.input_sets, this.paths.inputSets)) {
      for (const [each, at] of eachEntry(set.cases, this.casesPath(setAt, index))) {
        yield { set, case: each, at };
      }
    }
  }

  /** Where the cases of an input set were written. */
  casesPath(setAt: FieldPath, setIndex: number): FieldPath {
    return setAt.field(this.#legacySets.has(setIndex) ? 'items' : 'cases');
  }

  isLegacy(setIndex: number): boolean {
    return this.#legacySets.has(setIndex);
  }
}

/** The readable entries of a list, each with its authored place and index. */
export function* eachEntry<T>(
  entries: readonly (T | undefined)[] | undefined,
  at: FieldPath,
): Iterable<[entry: T, at: FieldPath, index: number]> {
  for (const [index, entry] of (entries ?? []).entries()) {
    if (entry !== undefined) yield [entry, at.index(index), index];
  }
}
