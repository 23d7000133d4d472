import { describeYamlError } from '@agentclash/challengepack';
import { type Document, isMap, isNode, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import type { Problem } from './problem-line.js';

export type FieldPath = readonly (string | number)[];

/** A YAML document that knows where each of its values was written. */
export class YamlFile {
  private readonly lines = new LineCounter();
  private readonly document: Document.Parsed;
  /** Null unless there are no problems. */
  readonly value: unknown;
  /** Why it cannot be read. */
  readonly problems: readonly Problem[];

  constructor(readonly text: string) {
    this.document = parseDocument(text, { lineCounter: this.lines, prettyErrors: false });
    // One error of the syntax often causes others further down.
    this.problems = this.document.errors.slice(0, 1).map(({ code, message, pos }) => {
      const problem = describeYamlError(text, { code, message, at: pos[0] });
      const position = this.position(problem.at);
      return { code: 'yaml_syntax', severity: 'error', field: '', message: problem.message, ...position };
    });
    this.value = this.problems.length === 0 ? this.document.toJS({ maxAliasCount: 100 }) : null;
  }

  has(path: FieldPath): boolean {
    return this.document.hasIn(path);
  }

  /** The plain value there. */
  at(path: FieldPath): unknown {
    return this.document.getIn(path);
  }

  /** A problem at a value, or at the nearest node around it that exists. */
  problemAt(
    path: FieldPath,
    problem: Pick<Problem, 'code' | 'message' | 'suggestion'>,
    at: 'value' | 'key' = 'value',
  ): Problem {
    const offset = (at === 'key' ? this.keyOffset(path) : undefined) ?? this.offset(path);
    return { severity: 'error', field: fieldText(path), ...problem, ...this.position(offset) };
  }

  private offset(path: FieldPath): number {
    const node: unknown = path.length === 0 ? this.document.contents : this.document.getIn(path, true);
    if (isNode(node) && node.range) return node.range[0];
    return path.length === 0 ? 0 : this.offset(path.slice(0, -1));
  }

  private keyOffset(path: FieldPath): number | undefined {
    const parent = this.document.getIn(path.slice(0, -1), true) as Node | undefined;
    if (isSeq(parent) || !isMap(parent)) return undefined;
    const pair = parent.items.find(({ key }) => isScalar(key) && key.value === path.at(-1));
    return isScalar(pair?.key) ? pair.key.range?.[0] : undefined;
  }

  private position(offset: number): Pick<Problem, 'line' | 'column'> {
    const { line, col } = this.lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  }
}

/** `deployments[0].config.files[1].from`. */
function fieldText(path: FieldPath): string {
  return path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`),
    '',
  );
}
