import { compileRegex, type Regex } from '../text/regex.js';

/** Unicode's general categories by the long names that ECMA-262 has for them and RE2 has not. */
const CATEGORIES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Letter: 'L',
    Uppercase_Letter: 'Lu',
    Lowercase_Letter: 'Ll',
    Titlecase_Letter: 'Lt',
    Modifier_Letter: 'Lm',
    Other_Letter: 'Lo',
    Mark: 'M',
    Combining_Mark: 'M',
    Nonspacing_Mark: 'Mn',
    Spacing_Mark: 'Mc',
    Enclosing_Mark: 'Me',
    Number: 'N',
    Decimal_Number: 'Nd',
    digit: 'Nd',
    Letter_Number: 'Nl',
    Other_Number: 'No',
    Punctuation: 'P',
    punct: 'P',
    Connector_Punctuation: 'Pc',
    Dash_Punctuation: 'Pd',
    Open_Punctuation: 'Ps',
    Close_Punctuation: 'Pe',
    Initial_Punctuation: 'Pi',
    Final_Punctuation: 'Pf',
    Other_Punctuation: 'Po',
    Symbol: 'S',
    Math_Symbol: 'Sm',
    Currency_Symbol: 'Sc',
    Modifier_Symbol: 'Sk',
    Other_Symbol: 'So',
    Separator: 'Z',
    Space_Separator: 'Zs',
    Line_Separator: 'Zl',
    Paragraph_Separator: 'Zp',
    Control: 'Cc',
    cntrl: 'Cc',
    Format: 'Cf',
    Private_Use: 'Co',
    Surrogate: 'Cs',
  }),
);
/** An escape with what belongs to it; so an escaped backslash is never taken for the start of one. */
const ESCAPE = /\\([pP])\{(?:(?:General_Category|gc)=)?(\w+)\}|\\c([A-Za-z])|\\[\s\S]/g;

/**
 * Compiles a pattern of a schema: RE2, and such of ECMA-262 as RE2 spells otherwise: `\p{Letter}` and `\cJ`. Null when
 * it is neither.
 */
export function compilePattern(pattern: string): Regex | null {
  return compileRegex(pattern.replace(ESCAPE, inRe2));
}

function inRe2(written: string, p: string | undefined, name = '', control?: string): string {
  if (control !== undefined) return `\\x{${(control.toUpperCase().charCodeAt(0) - 64).toString(16)}}`;
  const category = p === undefined ? undefined : CATEGORIES.get(name);
  if (category === undefined) return written;
  return `\\${p}{${category}}`;
}

/** RE2 repeats at most so often. */
const REPEAT_MAX = 1_000;

/**
 * About how many instructions an RE2 expression compiles to, counted without compiling it: one for each character or
 * class, times the counted repetitions around it.
 */
export function patternSize(pattern: string): number {
  const groups: { size: number; last: number }[] = [];
  let here = { size: 0, last: 0 };
  const add = (size: number) => {
    here.size += size;
    here.last = size;
  };
  for (const [token] of pattern.matchAll(TOKEN)) {
    if (token === '(') {
      groups.push(here);
      here = { size: 2, last: 0 };
    } else if (token === ')') {
      const { size } = here;
      here = groups.pop() ?? { size: 0, last: 0 };
      add(size);
    } else if (/^[{*+?]/.test(token)) {
      const times = repeats(token);
      const grown = here.last * times + 1;
      here.size += grown - here.last;
      here.last = grown;
    } else add(token.startsWith('\\Q') ? token.length : 1);
  }
  return [...groups, here].reduce((sum, { size }) => sum + size, 0);
}

/** Quoted text, an escape, a class, a counted repetition, or one character. */
const TOKEN =
  /\\Q[\s\S]*?(?:\\E|$)|\\[pP]\{[^}]*\}|\\x\{[^}]*\}|\\[\s\S]|\[\^?\]?(?:\\[\s\S]|\[:[^\]]*:\]|[^\]\\])*(?:\]|$)|\{\d+(?:,\d*)?\}|[\s\S]/gu;

function repeats(token: string): number {
  const [, least, most] = /^\{(\d+),?(\d*)\}$/.exec(token) ?? [];
  if (least === undefined) return 1;
  return Math.min(REPEAT_MAX, Math.max(Number(least), Number(most ?? 0), 1));
}
