/** A path without `./` before it. */
function tidy(path: string): string {
  return path.replace(/^(?:\.\/)+/, '');
}

/**
 * Assigns the given files to the referenced paths by their longest common end, because a browser knows at most the path
 * below a chosen folder. An ambiguous name matches no path.
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

/** Adds files; a file with the same path replaces the earlier one, which may have been edited. */
export function withFiles<F>(
  given: readonly F[],
  more: readonly F[],
  pathOf: (file: F) => string,
): readonly F[] {
  const paths = new Set(more.map(pathOf));
  return [...given.filter((file) => !paths.has(pathOf(file))), ...more];
}

/** Number of equal path segments from the end; the file name must be equal. */
function commonEnd(a: string, b: string): number {
  const [left, right] = [a.split('/').reverse(), b.split('/').reverse()];
  const end = left.findIndex((part, index) => part !== right[index]);
  return end < 0 ? left.length : end;
}
