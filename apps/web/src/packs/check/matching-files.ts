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

/** How many parts two paths share, from the last; the name itself must be the same. */
function commonEnd(a: string, b: string): number {
  const [left, right] = [a.split('/').reverse(), b.split('/').reverse()];
  const end = left.findIndex((part, index) => part !== right[index]);
  return end < 0 ? left.length : end;
}
