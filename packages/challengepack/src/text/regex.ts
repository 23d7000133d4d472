import { RE2JS, RE2JSSyntaxException } from 're2js';

/** A compiled RE2 expression: linear time on any text. */
export interface Regex {
  /** True when it occurs anywhere in the text. */
  test(text: string): boolean;
  /** True when it is the whole text. */
  matches(text: string): boolean;
}

/** Compiles an RE2 expression; null when it is not RE2 syntax. */
export function compileRegex(pattern: string): Regex | null {
  try {
    const compiled = RE2JS.compile(pattern);
    return {
      test: (text) => compiled.test(text),
      matches: (text) => compiled.matches(text),
    };
  } catch {
    return null;
  }
}

/** Parts of other dialects, by how they begin, with what to do instead where there is something. */
const NOT_RE2: readonly [part: RegExp, words: string][] = [
  [/^\(\?[=!]/, 'RE2 has no look-ahead'],
  [/^\(\?<[=!]/, 'RE2 has no look-behind'],
  [/^(?:\\[1-9]|\\k|\(\?P=)/, 'RE2 has no back-references'],
  [/^\(\?>/, 'RE2 has no atomic groups'],
  [/^[*+?}]\+/, 'RE2 has no possessive repetition'],
  [/^\(\?#/, 'RE2 has no comments'],
  [/^\\Z/, 'RE2 has no \\Z: write \\z for the end of the text'],
];

/** Problems whose part runs to the end of the expression. */
const SHORTENED: ReadonlyMap<string, string> = new Map([
  ['missing closing ]', '['],
  ['missing closing )', '('],
  ['unexpected )', ')'],
]);

const SHOWN_MAX = 40;

/** Why an expression is not RE2, which part of it and where (characters from 1); null when it is RE2. */
export function regexProblem(pattern: string): string | null {
  try {
    RE2JS.compile(pattern);
    return null;
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) return 'the expression is too large';
    return described(pattern, error.getDescription(), error.getPattern() ?? '');
  }
}

function described(pattern: string, description: string, part: string): string {
  const at = description === 'missing closing )' ? unclosedGroup(pattern) : pattern.indexOf(part);
  const known = NOT_RE2.find(([begins]) => begins.test(part));
  const words = known?.[1] ?? description;
  if (part === '' || at === -1) return words;
  const shown = known?.[0].exec(part)?.[0] ?? SHORTENED.get(description) ?? part;
  return `${words}: ${cut(shown)} at character ${[...pattern.slice(0, at)].length + 1}`;
}

function cut(text: string): string {
  const characters = [...text];
  return characters.length > SHOWN_MAX ? `${characters.slice(0, SHOWN_MAX).join('')}…` : text;
}

/** Where the innermost group begins that nothing closes. */
function unclosedGroup(pattern: string): number {
  const open: number[] = [];
  for (const { 0: token, index } of pattern.matchAll(/\\[\s\S]|\[\^?\]?(?:\\[\s\S]|[^\]\\])*\]|[()]/g)) {
    if (token === '(') open.push(index);
    else if (token === ')') open.pop();
  }
  return open.at(-1) ?? -1;
}
