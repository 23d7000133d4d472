import type { Manifest } from '@agentclash/challengepack';

/** Postgres text cannot hold this character, and no name or key needs it. */
const NUL = '\0';

/** The field path of the first name or key with U+0000, which Postgres columns cannot store. */
export function unstorableName({ pack, input_sets }: Manifest): string | undefined {
  if (pack.name.includes(NUL)) return 'pack.name';
  if (pack.family.includes(NUL)) return 'pack.family';
  if (pack.description?.includes(NUL)) return 'pack.description';
  for (const [index, set] of input_sets.entries()) {
    const at = `input_sets[${index}]`;
    if ([set.key, set.name, set.description ?? ''].some((text) => text.includes(NUL))) return at;
    const invalid = set.cases.findIndex((each) =>
      [each.case_key, each.item_key, each.challenge_key].join().includes(NUL),
    );
    if (invalid >= 0) return `${at}.cases[${invalid}]`;
  }
  return undefined;
}
