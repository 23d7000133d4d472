import type { Manifest } from '@agentclash/challengepack';

/** Postgres text cannot hold this character, and no name or key needs it. */
const NUL = '\0';

/** The first of the names and keys that are stored in columns of their own which holds U+0000; its field path. */
export function unstorableName({ pack, input_sets }: Manifest): string | undefined {
  if (pack.name.includes(NUL)) return 'pack.name';
  if (pack.family.includes(NUL)) return 'pack.family';
  if (pack.description?.includes(NUL)) return 'pack.description';
  for (const [index, set] of input_sets.entries()) {
    const at = `input_sets[${index}]`;
    if ([set.key, set.name, set.description ?? ''].some((text) => text.includes(NUL))) return at;
    const faulty = set.cases.findIndex((each) =>
      [each.case_key, each.item_key, each.challenge_key].join().includes(NUL),
    );
    if (faulty >= 0) return `${at}.cases[${faulty}]`;
  }
  return undefined;
}
