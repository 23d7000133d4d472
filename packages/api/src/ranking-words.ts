import { numberIn, type Payload, recordOf, textIn } from '@agentclash/domain';

/** The figure that decided a rank, in words; an unknown one of a newer server is shown unchanged. */
const RANKED_BY: Partial<Record<string, string>> = {
  passed: 'verdict',
  missing_share: 'missing attempts',
  overall: 'overall score',
};

/**
 * The reason of an agent's verdict, by its ranking entry. A gate may fail an agent whose pass rate is high, so the text
 * names the gate and how it failed.
 */
export function verdictReasonInWords(entry: Payload): string | undefined {
  const reason = textIn(entry, 'verdict_reason');
  if (reason === undefined) return undefined;
  const dimensions = recordOf(entry.dimensions);
  const failed = Object.entries(recordOf(entry.gates)).flatMap(([gate, held]) => {
    const mean = numberIn(recordOf(dimensions[gate]), 'mean');
    return held === false ? [mean === undefined ? gate : `${gate} (mean ${mean.toFixed(3)})`] : [];
  });
  if (reason !== 'gate_failed' || failed.length === 0) return words(reason);
  return `gate failed: ${failed.join(', ')} was below its threshold in at least one attempt, and a gate must hold in all`;
}

interface RankedAgent {
  name: string;
  rank: number | null;
  /** The figure that decided its rank. */
  reason: string;
}

/** The figures that decided a ranking, and for each rank that several agents share a sentence. */
export function rankingLines(agents: readonly RankedAgent[]): string[] {
  const reasons = [...new Set(agents.map(({ reason }) => reason))];
  const deciding = reasons.filter((reason) => reason !== 'only_agent' && reason !== 'tie');
  const by = deciding.map((reason) => RANKED_BY[reason] ?? words(reason)).join(', ');
  return [...(deciding.length === 0 ? [] : [`ranked by ${by}`]), ...tieLines(agents)];
}

/** `Tie: a and b share rank 1: no figure separates them` */
function tieLines(agents: readonly RankedAgent[]): string[] {
  const ranks = [...new Set(agents.flatMap(({ rank }) => rank ?? []))];
  return ranks.flatMap((shared) => {
    const names = agents.filter(({ rank }) => rank === shared).map(({ name }) => name);
    if (names.length < 2) return [];
    return [
      `Tie: ${names.slice(0, -1).join(', ')} and ${names.at(-1)} share rank ${shared}: no figure separates them`,
    ];
  });
}

function words(code: string): string {
  return code.replaceAll('_', ' ');
}
