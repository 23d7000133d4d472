import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { CaseCheck, PackCheck, PlacedCase } from '../checks/pack-check.js';
import { Decoding } from '../decode/decoding.js';
import type { FieldPath } from '../decode/field-path.js';
import type { Draft } from '../decode/shape.js';
import { isJsonObject, type JsonObject } from '../json.js';
import type { Case, CasesFrom, InputSet, StoredCase } from '../pack/model.js';
import { canonicalJson } from '../publish/digest.js';
import { storedCase } from '../publish/stored-cases.js';
import {
  Allowance,
  AllowanceError,
  compileTemplate,
  rowPaths,
  type Template,
  textsIn,
} from '../row-templates/row-template.js';
import { CASE } from '../shapes/input-set.js';
import { normalizeCase } from '../shapes/normalize.js';
import { MissingColumns } from './missing-columns.js';
import type { Row, RowProblem } from './rows.js';
import { sourceOf } from './value-source.js';

/** The most rows that become cases of one input set. */
const CASE_ROWS_MAX = 1_000_000;
/** Characters of one case, and of all cases of one file. */
const CASE_SIZE_MAX = 1_048_576;
const CASES_SIZE_MAX = 268_435_456;

/** A case as publishing stores it; its document is canonical JSON. */
export type CaseText = Omit<StoredCase, 'document' | 'input_set_key'> & { document: string };

interface FileOfCases {
  check: PackCheck;
  checks: CaseCheck;
  set: Draft<InputSet>;
  settings: CasesFrom;
  /** `cases_from`. */
  at: FieldPath;
}

/** The data file of an input set: turns its rows into cases, and checks them like those of the document. */
export class CaseFile {
  readonly settings: CasesFrom;
  readonly setKey: string;
  /** In the order of their first cases. */
  readonly challengeKeys = new Set<string>();
  readonly #file: FileOfCases;
  readonly #template: Template;
  readonly #missing: MissingColumns;
  readonly #hash = sha256.create();
  #taken = 0;
  #count = 0;
  #size = 0;
  #isEnded = false;
  #isFull = false;

  constructor(file: FileOfCases) {
    this.#file = file;
    this.settings = file.settings;
    this.setKey = file.set.key ?? '';
    const template = caseTemplate(file.settings);
    this.#template = compileTemplate(template);
    this.#missing = new MissingColumns(file.check, template, file.at);
  }

  /** The columns that some template names. */
  get columns(): ReadonlySet<string> {
    const paths = [...textsIn(caseTemplate(this.settings), [])].flatMap(({ text }) => rowPaths(text));
    return new Set(paths.flatMap((path) => [path, path.split('.')[0] ?? path]));
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** True when no further rows are taken: they are too many, or too large. */
  get isFull(): boolean {
    return this.#isFull;
  }

  get rows(): { count: number; sha256: string } {
    return { count: this.#count, sha256: bytesToHex(this.#hash.clone().digest()) };
  }

  /** Checks the cases of some rows. Returns them as they are stored; none once there are errors. */
  add(rows: readonly Row[]): CaseText[] {
    const { check, checks } = this.#file;
    check.problems.forgetRows();
    const placed = rows.flatMap((row) => this.#caseOf(row) ?? []);
    checks.add(placed);
    return check.problems.hasErrors() || this.#missing.isAny ? [] : placed.map((each) => this.#stored(each));
  }

  /** The names of all columns of the file, which problems show. */
  know(columns: readonly string[]): void {
    this.#missing.know(columns);
  }

  /** Reports what cannot be read. */
  report({ row, column, message }: RowProblem): void {
    const { check, at } = this.#file;
    if (row === undefined) check.report('invalid_data', at, { message });
    else
      check.report('invalid_data', at.index(row), {
        message,
        ...(column !== undefined && { columnName: column }),
      });
  }

  /** Called after all rows. */
  end(): void {
    const { check, at } = this.#file;
    this.#isEnded = true;
    this.#missing.end();
    if (this.#taken > 0 || check.problems.isFaulty(at)) return;
    check.report('required', at, { message: 'at least one row is needed' });
  }

  #caseOf(row: Row): PlacedCase | undefined {
    const { check, set, at } = this.#file;
    const rowAt = at.index(row.row);
    if (!this.#takes(row)) return undefined;
    const filled = this.#fill(row, rowAt);
    if (filled === undefined) return undefined;
    const decoding = new Decoding(check.problems, { executionMode: check.mode });
    const draft = CASE.decode(sourceOf(filled), rowAt, decoding) as Draft<Case> | undefined;
    if (draft === undefined) return undefined;
    const each = normalizeCase(draft);
    for (const name of ['case_key', 'challenge_key'] as const) {
      if (each[name]?.includes('\0')) {
        check.report('malformed', rowAt.field(name), { message: 'holds the character U+0000' });
      }
    }
    if (each.challenge_key !== undefined) this.challengeKeys.add(each.challenge_key);
    return { set, case: each, at: rowAt };
  }

  #takes({ row }: Row): boolean {
    if (this.#isFull) return false;
    this.#taken += 1;
    if (this.#taken <= CASE_ROWS_MAX) return true;
    this.#isFull = true;
    const message = `more than ${CASE_ROWS_MAX} rows would be cases: choose a part of them with limit or sample`;
    this.#file.check.report('too_long', this.#file.at.index(row), { message });
    return false;
  }

  #fill(row: Row, at: FieldPath): JsonObject | undefined {
    const { check } = this.#file;
    try {
      const filled = this.#template(row, new Allowance(CASE_SIZE_MAX));
      if ('value' in filled) {
        this.#missing.sawWhole();
        return isJsonObject(filled.value) ? filled.value : undefined;
      }
      this.#missing.add(row);
    } catch (error) {
      if (!(error instanceof AllowanceError)) throw error;
      check.report('too_long', at, { message: `its case has more than ${CASE_SIZE_MAX} characters` });
    }
    return undefined;
  }

  #stored({ case: draft, set, at }: PlacedCase): CaseText {
    // Without errors nothing is missing from the draft, and the shape that decoded it writes the case.
    const each = CASE.encode(draft as Case) as Partial<Case> as Case;
    this.#hash.update(utf8ToBytes(`${canonicalJson(each)}\n`));
    const { input_set_key: _key, document, ...keys } = storedCase(set.key ?? '', each, this.#count++);
    const text = canonicalJson(document);
    this.#size += text.length;
    if (this.#size > CASES_SIZE_MAX && !this.#isFull) {
      this.#isFull = true;
      const message = `its cases have more than ${CASES_SIZE_MAX / 1_048_576} MiB: name fewer columns, or choose a part of the rows with limit or sample`;
      this.#file.check.report('too_long', at, { message });
    }
    return { ...keys, document: text };
  }
}

/** The members of a case. */
function caseTemplate({
  case_key,
  challenge_key,
  payload = {},
  inputs,
  expectations,
  solution,
}: CasesFrom): JsonObject {
  const members = { case_key, challenge_key, payload, inputs, expectations, solution };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as JsonObject;
}
