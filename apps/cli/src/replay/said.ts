/** What an event says. Values of another shape than expected count as absent, so that newer servers can be read too. */
export type Said = Readonly<Record<string, unknown>>;

export function textOf(said: Said, name: string): string {
  const value = said[name];
  return typeof value === 'string' ? value : '';
}

export function numberOf(said: Said, name: string): number | undefined {
  const value = said[name];
  return typeof value === 'number' ? value : undefined;
}

export function partOf(said: Said, name: string): Said {
  const value = said[name];
  return isSaid(value) ? value : {};
}

export function partsOf(said: Said, name: string): Said[] {
  const value = said[name];
  return Array.isArray(value) ? value.filter(isSaid) : [];
}

export function textsOf(said: Said, name: string): string[] {
  const value = said[name];
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

function isSaid(value: unknown): value is Said {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
