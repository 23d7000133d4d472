import { RE2JS } from 're2js';

/** A compiled RE2 expression: linear time on any text. */
export interface Regex {
  /** Whether it occurs anywhere in the text. */
  test(text: string): boolean;
  /** Whether it is the whole text. */
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
