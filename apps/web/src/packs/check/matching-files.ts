/** A path without `./` before it. */
function tidy(path: string): string {
  return path.replace(/^(?:\.\/)+/, '');
}

/**
 * Which of the given files stand for which of the wanted paths: by the longest common end of the path, since a browser
 * tells at most the path below a folder that was chosen. A name that could mean two paths stands for none.
 */
export function matchFiles<F>(
  wanted: readonly string[],
  given: readonly F[],
  pathOf: (file: F) => string,
): Map<string, F> {
  const matches = new Map<string, F>();
  for (const path of wanted) {
    const best = given
      .map((file) => ({ file, common: commonEnd(tidy(path), tidy(pathOf(file))) }))
      .filter(({ common }) => common > 0)
      .sort((a, b) => b.common - a.common);
    const [first, second] = best;
    if (first !== undefined && first.common !== second?.common) matches.set(path, first.file);
  }
  return matches;
}

/** The given files and more; one that is given again takes its own place, as when it has been edited meanwhile. */
export function withFiles<F>(
  given: readonly F[],
  more: readonly F[],
  pathOf: (file: F) => string,
): readonly F[] {
  const paths = new Set(more.map(pathOf));
  return [...given.filter((file) => !paths.has(pathOf(file))), ...more];
}

/** How many parts two paths share, from the last; the name itself must be the same. */
function commonEnd(a: string, b: string): number {
  const [left, right] = [a.split('/').reverse(), b.split('/').reverse()];
  const end = left.findIndex((part, index) => part !== right[index]);
  return end < 0 ? left.length : end;
}
