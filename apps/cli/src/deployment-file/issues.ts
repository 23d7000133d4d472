import type { Problem } from '../yaml/problem-line.js';
import type { FieldPath, YamlFile } from '../yaml/yaml-file.js';

/** The members of a schema's problem that this module reads. */
interface Issue {
  code?: string;
  path: PropertyKey[];
  message: string;
  /** The kind of value whose length or size is limited. */
  origin?: string;
  minimum?: number;
  maximum?: number;
  inclusive?: boolean;
  expected?: string;
  format?: string;
  keys?: string[];
  values?: unknown[];
  /** Of the member that distinguishes shapes. */
  options?: unknown[];
  errors?: Issue[][];
  /** Of a key of a map. */
  issues?: Issue[];
  isKey?: boolean;
}

interface FailedParse {
  success: false;
  error: { issues: readonly unknown[] };
}

/** Where the parts of a checked value were written: members that were put in for others go by their authored names. */
export type Authored = (path: FieldPath) => FieldPath;

/** The members that a part of the checked value may have, as authors write them. */
type Known = (path: FieldPath) => readonly string[];

type Nearest = (name: string, candidates: Iterable<string>) => string | undefined;

/** A schema's issues as problems of the file. `base` is the path of the checked value. */
export function problemsOf(
  parsed: FailedParse,
  context: { file: YamlFile; base: FieldPath; authored: Authored; known: Known; nearest: Nearest },
): Problem[] {
  const { file, base, authored, known, nearest } = context;
  return withoutRepeated((parsed.error.issues as Issue[]).flatMap(flattened)).flatMap((issue) => {
    const path = [...base, ...authored(issue.path.map(step))];
    if (issue.code === 'unrecognized_keys') {
      return (issue.keys ?? []).map((key) => {
        const suggestion = nearest(key, known(issue.path.map(step)));
        const problem = {
          code: 'unknown_key',
          message: suggestion ? `is not known here; did you mean ${suggestion}?` : 'is not known here',
          ...(suggestion && { suggestion }),
        };
        return file.problemAt([...path, key], problem, 'key');
      });
    }
    if (!file.has(path)) return [file.problemAt(path, { code: 'required', message: 'is missing' })];
    const values = (issue.values ?? issue.options ?? []).filter((value) => typeof value === 'string');
    const suggestion = values.length === 0 ? undefined : nearest(String(file.at(path)), values);
    return [
      file.problemAt(
        path,
        {
          code: codeOf(issue),
          message: suggestion
            ? `${inWords(issue, values)}; did you mean ${suggestion}?`
            : inWords(issue, values),
          ...(suggestion && { suggestion }),
        },
        issue.isKey ? 'key' : 'value',
      ),
    ];
  });
}

/** Of a number that is out of range twice, as too large for a whole number and for its member, the last is the narrower. */
function withoutRepeated(issues: readonly Issue[]): Issue[] {
  const keyOf = ({ code, path }: Issue) => JSON.stringify([code, path.map(String)]);
  const ranges = new Map(
    issues
      .filter(({ code }) => code === 'too_big' || code === 'too_small')
      .map((each) => [keyOf(each), each]),
  );
  return issues.filter((each) => (ranges.get(keyOf(each)) ?? each) === each);
}

/** The problem, for people who do not know the schema's library. */
function inWords(issue: Issue, values: readonly string[]): string {
  if (values.length > 0) return `must be ${values.join(' or ')}`;
  return WORDS[issue.code ?? '']?.(issue) ?? issue.message.replace(/^Invalid (?:input|option): /, '');
}

const WORDS: Partial<Record<string, (issue: Issue) => string | undefined>> = {
  invalid_type: ({ expected }) => `must be ${TYPES[expected ?? ''] ?? `of type ${expected}`}`,
  too_small: ({ origin, minimum, inclusive = true }) => {
    if (minimum === undefined) return undefined;
    if (UNITS[origin ?? ''] === undefined)
      return `must be ${inclusive ? 'at least' : 'more than'} ${minimum}`;
    return minimum === 1 ? 'must not be empty' : `must have at least ${minimum} ${UNITS[origin ?? '']}`;
  },
  too_big: ({ origin, maximum, inclusive = true }) => {
    if (maximum === undefined) return undefined;
    const unit = UNITS[origin ?? ''];
    if (unit === undefined) return `must be ${inclusive ? 'at most' : 'less than'} ${maximum}`;
    return `must have at most ${maximum} ${unit}`;
  },
  invalid_format: ({ message, format }) =>
    message.startsWith('Invalid ')
      ? format === 'uuid'
        ? 'must be an id'
        : 'is not written as it must be'
      : undefined,
};

const UNITS: Partial<Record<string, string>> = {
  string: 'characters',
  array: 'entries',
  set: 'entries',
  map: 'entries',
  object: 'entries',
};

const TYPES: Partial<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
  record: 'a map',
  null: 'null',
};

/** Of several shapes the one that fits best: of those of the value's type the one with the fewest problems. */
function flattened(issue: Issue): Issue[] {
  if (issue.code === 'invalid_key' && issue.issues) {
    return issue.issues.map((each) => ({ ...each, path: issue.path, isKey: true }));
  }
  const shapes = issue.errors ?? [];
  const ofType = shapes.filter((problems) => !problems.some(isOfOtherType));
  const [first, ...others] = ofType.length > 0 ? ofType : shapes;
  if (issue.code !== 'invalid_union' || first === undefined) return [issue];
  const best = others.reduce(
    (fewest, each) => (problemCount(each) < problemCount(fewest) ? each : fewest),
    first,
  );
  return best.flatMap((each) => flattened({ ...each, path: [...issue.path, ...each.path] }));
}

/** True when the value as a whole is of another type, such as a text where a map is needed. */
function isOfOtherType({ code, path }: Issue): boolean {
  return code === 'invalid_type' && path.length === 0;
}

function problemCount(issues: readonly Issue[]): number {
  return issues.reduce((sum, { keys }) => sum + (keys?.length ?? 1), 0);
}

const CODES: Partial<Record<string, string>> = {
  invalid_type: 'type_mismatch',
  invalid_value: 'unknown_value',
  invalid_union: 'unknown_value',
  too_small: 'out_of_range',
  too_big: 'out_of_range',
  invalid_format: 'malformed',
};

function codeOf({ code = '' }: Issue): string {
  return CODES[code] ?? 'malformed';
}

function step(part: PropertyKey): string | number {
  return typeof part === 'number' ? part : String(part);
}
