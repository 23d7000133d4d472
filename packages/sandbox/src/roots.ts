/** Component-wise: `/a` holds `/a` and `/a/b`, not `/ab`. */
export function isWithin(path: string, root: string): boolean {
  return root === '/' || path === root || path.startsWith(`${root}/`);
}

/** The roots that lie in no other, sorted, without repetition. */
export function outermost(roots: readonly string[]): string[] {
  const sorted = [...new Set(roots)].sort();
  return sorted.filter((root) => !sorted.some((other) => other !== root && isWithin(root, other)));
}

/** Whether `root` is one of `others` or lies inside one. */
export function overlaps(root: string, others: readonly string[]): boolean {
  return others.some((other) => isWithin(root, other));
}
