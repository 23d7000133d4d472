import type { FieldPath } from './field-path.js';
import type { ProblemCode } from './problem-codes.js';
import type { Problems, ReportOptions } from './problems.js';
import type { DecodeOptions, Facts } from './shape.js';
import type { SourceMap, SourceNode } from './source.js';

/** The problems that are reported even where only types are checked. */
const TYPE_PROBLEMS: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'type_mismatch',
  'not_json',
  'yaml_duplicate_key',
  'unknown_key',
  'misplaced_key',
  'value_ignored',
]);

const NORMAL: DecodeOptions = { nullIsProblem: false, unknownKeys: 'warning', typesOnly: false };

/** The reading of one document: where problems are reported, and the options of the part that is read. */
export class Decoding {
  constructor(
    readonly problems: Problems,
    readonly facts: Facts,
    readonly options: DecodeOptions = NORMAL,
  ) {}

  in(options: Partial<DecodeOptions>): Decoding {
    return new Decoding(this.problems, this.facts, { ...this.options, ...options });
  }

  report(code: ProblemCode, at: FieldPath, options?: ReportOptions): void {
    if (this.options.typesOnly && !TYPE_PROBLEMS.has(code)) return;
    this.problems.report(code, at, options);
  }

  /** A value of the wrong type: nothing in it is examined but its repeated keys. */
  mismatch(node: SourceNode, at: FieldPath, expected: string, suggestion?: string): undefined {
    const message = `expected ${expected}, found ${describe(node)}`;
    this.report('type_mismatch', at, { message, ...(suggestion && { suggestion }) });
    this.sweep(node, at);
  }

  /** Reports the repeated keys of content that is otherwise not examined. */
  sweep(node: SourceNode, at: FieldPath): void {
    if (node.kind === 'list') for (const [i, item] of node.items.entries()) this.sweep(item, at.index(i));
    if (node.kind !== 'map') return;
    this.reportRepeated(node, (key) => at.key(key));
    for (const [key, entry] of node.entries) this.sweep(entry.value, at.key(key));
  }

  reportRepeated(node: SourceMap, pathOf: (key: string) => FieldPath): void {
    for (const { key, keyAt, value } of node.repeated) {
      const path = pathOf(key);
      this.report('yaml_duplicate_key', path, { offset: keyAt });
      this.sweep(value, path);
    }
  }

  /** Reports keys without a JSON form: null and compound ones, and unpaired surrogates. */
  reportUnusableKeys(node: SourceMap, at: FieldPath, pathOf: (key: string) => FieldPath): void {
    for (const { keyAt } of node.unkeyed) {
      this.report('not_json', at, { message: 'keys are texts', offset: keyAt });
    }
    for (const key of node.entries.keys()) {
      if (hasUnpairedSurrogate(key)) this.report('not_json', pathOf(key), { at: 'key' });
    }
  }
}

export function hasUnpairedSurrogate(text: string): boolean {
  return /\p{Surrogate}/u.test(text);
}

const KIND_NAMES = { list: 'a list', map: 'a map' } as const;

function describe(node: SourceNode): string {
  if (node.kind !== 'scalar') return KIND_NAMES[node.kind];
  if (node.value === null) return 'nothing (null)';
  return typeof node.value === 'string' ? 'text' : `the ${typeof node.value} ${node.text}`;
}
