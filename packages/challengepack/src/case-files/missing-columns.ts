import type { PackCheck } from '../checks/pack-check.js';
import type { FieldPath } from '../decode/field-path.js';
import type { JsonObject } from '../json.js';
import { hasPath, rowPaths, textsIn } from '../row-templates/row-template.js';
import type { Row } from './rows.js';

/** The columns of the file that a problem lists, and those that are looked through for a similar one. */
const LISTED_MAX = 20;
const NAMES_MAX = 1_000;
/** Characters of a name in a message. */
const NAME_LENGTH_MAX = 60;

/** Values that templates name and rows lack: one problem when no row has it, else one for each row without it. */
export class MissingColumns {
  readonly #paths: readonly string[];
  /** By path: the rows without it, as long as no row has it. */
  readonly #nowhere = new Map<string, number[]>();
  /** The paths that some row has. */
  readonly #somewhere = new Set<string>();
  /** Of the rows that lack something. */
  readonly #names = new Set<string>();

  constructor(
    private readonly check: PackCheck,
    private readonly template: JsonObject,
    private readonly at: FieldPath,
  ) {
    this.#paths = [...new Set(textsIn(template, []).flatMap(({ text }) => rowPaths(text)))];
  }

  get isAny(): boolean {
    return this.#nowhere.size > 0;
  }

  /** A row that has every value. */
  sawWhole(): void {
    if (this.#somewhere.size < this.#paths.length) for (const path of this.#paths) this.#found(path);
  }

  /** A row that lacks some value. */
  add({ row, values }: Row): void {
    for (const path of this.#paths) {
      if (hasPath(values, path)) this.#found(path);
      else if (this.#somewhere.has(path)) this.#reportRow(row, path);
      else this.#lacks(row, path);
    }
    if (this.#names.size >= NAMES_MAX) return;
    for (const name of Object.keys(values)) this.#names.add(name);
  }

  /** The names of columns that rows leave out. */
  know(columns: readonly string[]): void {
    for (const name of columns.slice(0, NAMES_MAX)) this.#names.add(name);
  }

  /** Called after all rows. */
  end(): void {
    for (const path of this.#nowhere.keys()) {
      const message = `column ${path}: no row has such a value; ${this.#hint(path)}`;
      const location = this.#locate(path, this.at);
      this.check.report('unresolved_placeholder', location, { message, columnName: path });
    }
    this.#nowhere.clear();
  }

  #lacks(row: number, path: string): void {
    const rows = this.#nowhere.get(path);
    if (rows) rows.push(row);
    else this.#nowhere.set(path, [row]);
  }

  #found(path: string): void {
    if (this.#somewhere.has(path)) return;
    this.#somewhere.add(path);
    const rows = this.#nowhere.get(path) ?? [];
    this.#nowhere.delete(path);
    for (const row of rows) this.#reportRow(row, path);
  }

  #reportRow(row: number, path: string): void {
    const location = this.#locate(path, this.at.index(row));
    const message = 'the row has no such value';
    this.check.report('unresolved_placeholder', location, { message, columnName: path });
  }

  /** The first template that names the path. */
  #locate(path: string, at: FieldPath): FieldPath {
    const [first] = textsIn(this.template, []).filter(({ text }) => rowPaths(text).includes(path));
    return (first?.steps ?? []).reduce(stepInto, at);
  }

  #hint(path: string): string {
    const names = [...this.#names];
    const plain = plainName(path);
    const similar = names.find((name) => name !== path && plainName(name) === plain);
    if (similar !== undefined) return `the file has ${quoted(similar)}, which differs in blanks or case`;
    if (names.length === 0) return 'the rows have no columns';
    const rest = names.length > LISTED_MAX ? ', and more' : '';
    return `the columns are ${names.slice(0, LISTED_MAX).map(quoted).join(', ')}${rest}`;
  }
}

function plainName(name: string): string {
  return name.replaceAll(/\s/g, '').toLowerCase();
}

function quoted(name: string): string {
  return JSON.stringify(name.length > NAME_LENGTH_MAX ? `${name.slice(0, NAME_LENGTH_MAX)}…` : name);
}

function stepInto(at: FieldPath, step: string | number): FieldPath {
  return typeof step === 'number' ? at.index(step) : at.field(step);
}
