/** The most samples of one message. */
const SAMPLES_MAX = 3;
const SAMPLE_CHARACTERS_MAX = 6_000;

/**
 * A few values that together have the members of all of them, as far as the limit allows; short ones first. `kept`
 * values precede them, and their members are covered already.
 */
export function samplesOf(values: readonly unknown[], kept: readonly unknown[] = []): unknown[] {
  const known = [...new Map(values.map((value) => [JSON.stringify(value), value]))]
    .filter(([text]) => text.length <= SAMPLE_CHARACTERS_MAX)
    .sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1))
    .map(([, value]) => ({ value, members: membersOf(value) }));
  const seen = new Set(kept.flatMap((value) => membersOf(value)));
  const chosen: unknown[] = [];
  while (chosen.length < SAMPLES_MAX) {
    const gains = known.map(({ members }) => members.filter((member) => !seen.has(member)).length);
    const best = gains.indexOf(Math.max(0, ...gains));
    const sample = known[best];
    if (!sample || (gains[best] === 0 && kept.length + chosen.length > 0)) break;
    chosen.push(sample.value);
    for (const member of sample.members) seen.add(member);
  }
  return [...kept, ...chosen];
}

/** Paths with the kind of what is there; members of a list are one. */
function membersOf(value: unknown, at = ''): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap((item) => membersOf(item, `${at}[]`)))];
  if (value === null || typeof value !== 'object')
    return [`${at}: ${value === null ? 'null' : typeof value}`];
  return [at, ...Object.entries(value).flatMap(([name, member]) => membersOf(member, `${at}.${name}`))];
}
