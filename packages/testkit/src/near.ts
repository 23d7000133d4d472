/**
 * Expects `actual` to hold everything `want` names: members of objects by name, lists item by item, numbers within
 * `tolerance`. Members that `want` does not name are free.
 */
export function expectNear(actual: unknown, want: unknown, tolerance = 1e-6, path = '$'): void {
  const problem = difference(actual, want, { tolerance, path });
  if (problem !== null) throw new Error(problem);
}

interface Comparison {
  tolerance: number;
  path: string;
}

function difference(actual: unknown, want: unknown, { tolerance, path }: Comparison): string | null {
  if (typeof want === 'number' && typeof actual === 'number') {
    return Math.abs(actual - want) <= tolerance ? null : `${path}: ${actual} is not near ${want}`;
  }
  if (want === null || typeof want !== 'object') {
    return Object.is(actual, want)
      ? null
      : `${path}: ${JSON.stringify(actual)} is not ${JSON.stringify(want)}`;
  }
  if (actual === null || typeof actual !== 'object') {
    return `${path}: ${JSON.stringify(actual)} is not ${JSON.stringify(want)}`;
  }
  if (Array.isArray(want) && (!Array.isArray(actual) || actual.length !== want.length)) {
    return `${path}: ${JSON.stringify(actual)} is not ${JSON.stringify(want)}`;
  }
  const members = new Map(Object.entries(actual));
  for (const [name, value] of Object.entries(want)) {
    const problem = difference(members.get(name), value, { tolerance, path: `${path}.${name}` });
    if (problem !== null) return problem;
  }
  return null;
}
