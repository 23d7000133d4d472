import type { LaneComparison, RunComparison } from '@agentclash/api';
import { roundedP, shownInterval } from '@agentclash/api';
import { Badge } from '../../design/badge.js';
import { formatCount } from '../../design/format.js';
import css from './compare.module.css';
import { countChanges, intervalText, signed, VERDICT_TONES, verdictText } from './measures.js';

interface ComparisonSummaryProps {
  compared: RunComparison;
  nameOf: (side: 'baseline' | 'candidate', lane: LaneComparison) => string;
}

/** The result of each pair of lanes in a line: the difference in overall, and how many cases changed. */
export function ComparisonSummary({ compared, nameOf }: ComparisonSummaryProps) {
  const lanes = compared.comparisons.filter(({ comparable }) => comparable);
  if (lanes.length === 0) return null;
  return (
    <ul className={css.summary} aria-label="Summary">
      {lanes.map((lane) => {
        const { overall } = lane;
        const p = overall.p_adjusted === null ? '' : `, p ${roundedP(overall.p_adjusted)}`;
        return (
          <li key={`${lane.baseline_run_agent_id} ${lane.candidate_run_agent_id}`}>
            <Badge tone={overall.state === 'available' ? VERDICT_TONES[overall.verdict] : 'warn'}>
              {verdictText(overall)}
            </Badge>{' '}
            <strong>{nameOf('candidate', lane)}</strong> against {nameOf('baseline', lane)}:{' '}
            {signed(overall.mean_difference)} {intervalText(shownInterval(overall))} in overall{p}.{' '}
            {changesText(lane)}
          </li>
        );
      })}
    </ul>
  );
}

function changesText({ overall }: LaneComparison): string {
  const { better, worse, unchanged } = countChanges(overall);
  if (better + worse === 0) return 'Every case has the same score on both sides.';
  const cases = better + worse + unchanged;
  return `Of ${formatCount(cases)} cases ${formatCount(better)} are better, ${formatCount(worse)} worse and ${formatCount(unchanged)} unchanged.`;
}
