import type { Attempt } from '@agentclash/api';
import { isGraded } from '@agentclash/domain';
import { Badge, type Tone } from '../design/badge.js';
import css from './verdict.module.css';

export const VERDICTS = ['passed', 'failed', 'no verdict', 'not graded', 'pending', 'skipped'] as const;
type Verdict = (typeof VERDICTS)[number];

const LOOKS: Record<Verdict, { tone: Tone; sign: string }> = {
  passed: { tone: 'good', sign: '✓' },
  failed: { tone: 'bad', sign: '✗' },
  'no verdict': { tone: 'warn', sign: '?' },
  'not graded': { tone: 'warn', sign: '!' },
  pending: { tone: 'neutral', sign: '…' },
  skipped: { tone: 'neutral', sign: '–' },
};

export function verdictOf({
  state,
  outcome,
  passed,
  is_scored,
  validity,
}: Pick<Attempt, 'state' | 'outcome' | 'passed' | 'is_scored' | 'validity'>): Verdict {
  if (state === 'skipped') return 'skipped';
  if (!is_scored) return 'pending';
  if (!isGraded(outcome) || validity === 'invalid') return 'not graded';
  if (passed === null) return 'no verdict';
  return passed ? 'passed' : 'failed';
}

export function VerdictBadge({ verdict }: { verdict: Verdict }) {
  const { tone, sign } = LOOKS[verdict];
  return (
    <Badge tone={tone}>
      <span aria-hidden="true">{sign}</span> {verdict}
    </Badge>
  );
}

/** The sign of a verdict alone, with its words for those who cannot see it. */
export function VerdictSign({ verdict }: { verdict: Verdict }) {
  const { tone, sign } = LOOKS[verdict];
  return (
    <span className={css[tone]}>
      <span aria-hidden="true">{sign}</span>
      <span className="visually-hidden">{verdict}</span>
    </span>
  );
}
