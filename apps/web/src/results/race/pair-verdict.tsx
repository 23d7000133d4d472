import { BASELINE_NAME, type PairMeter, type RunAgent } from '@agentclash/api';
import type { PairVerdict } from '@agentclash/domain';
import { Link } from 'wouter';
import { Badge, type Tone } from '../../design/badge.js';
import { LaneMark } from '../../design/lane-mark.js';
import { IntervalBar } from '../interval-bar.js';
import css from './race.module.css';

const TONES: Record<PairVerdict, Tone> = {
  better: 'good',
  worse: 'good',
  equivalent: 'good',
  exact: 'good',
  insufficient: 'warn',
  undecided: 'warn',
};

export function PairVerdictBadge({ verdict }: Pick<PairMeter, 'verdict'>) {
  return <Badge tone={verdict === null ? 'neutral' : TONES[verdict]}>{verdict ?? 'open'}</Badge>;
}

const DIFFERENCES = [-1, 1] as const;

/** The interval of the difference against zero, with the band in which lanes are equivalent. */
export function PairBar({ pair }: { pair: PairMeter }) {
  const { lower, upper, difference, margin } = pair;
  return (
    <IntervalBar
      estimate={{ mean: difference, interval: [lower, upper] }}
      domain={DIFFERENCES}
      color="var(--accent)"
      mark={0}
      band={2 * margin}
    />
  );
}

interface PairNamesProps {
  pair: PairMeter;
  runId: string;
  agents: readonly RunAgent[];
}

/** Both lanes of a pair; the baseline is of another run. */
export function PairNames({ pair: { a, b }, runId, agents }: PairNamesProps) {
  return (
    <span className={css.names}>
      <PairLane lane={a} runId={runId} agents={agents} /> against{' '}
      <PairLane lane={b} runId={runId} agents={agents} />
    </span>
  );
}

function PairLane({ lane, runId, agents }: Omit<PairNamesProps, 'pair'> & { lane: PairMeter['a'] }) {
  const index = agents.findIndex(({ id }) => id === lane.id);
  if (index < 0) return <>{BASELINE_NAME}</>;
  return (
    <>
      <LaneMark index={index} /> <Link to={`/runs/${runId}/agents/${lane.id}`}>{lane.name}</Link>
    </>
  );
}

/** Such as `61 of 500 cases, 2 missing`. */
export function evidenceText({ cases, population, missing }: PairMeter): string {
  const counted = `${cases} of ${population} cases`;
  return missing === 0 ? counted : `${counted}, ${missing} missing`;
}
