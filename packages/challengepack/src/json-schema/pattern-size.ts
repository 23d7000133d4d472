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
