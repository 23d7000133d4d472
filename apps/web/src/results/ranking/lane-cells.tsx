import {
  shownInterval,
  type VariantComparison,
  variantFigures,
  variantVerdictInWords,
  variantVerdictText,
} from '@agentclash/api';
import { Link } from 'wouter';
import { Badge, type Tone } from '../../design/badge.js';
import { formatCount, NOTHING } from '../../design/format.js';
import { LaneMark, laneColor } from '../../design/lane-mark.js';
import type { RowGroup } from '../../design/table.js';
import { IntervalBar } from '../interval-bar.js';
import { type GroupedLane, isBaseline } from './lane-groups.js';
import css from './ranking.module.css';

/** The deployment above its variants; no group for other lanes. */
export function groupOfLane({ variant, groupSize }: GroupedLane): RowGroup | undefined {
  if (variant === undefined) return undefined;
  return {
    key: variant.deployment,
    title: (
      <>
        {variant.deployment}{' '}
        <span className={css.why}>
          {formatCount(groupSize)} {groupSize === 1 ? 'variant' : 'variants'}
        </span>
      </>
    ),
  };
}

/** Rank, colour and name of a lane; below its deployment a variant has its own name alone. */
export function LaneName({ runId, lane }: { runId: string; lane: GroupedLane }) {
  const { id, name, rank, index, variant } = lane;
  return (
    <span className={css.agent}>
      <span className={css.rank}>{rank ?? NOTHING}</span>
      <LaneMark index={index} />
      <Link to={`/runs/${runId}/agents/${id}`}>
        {variant === undefined ? (
          name
        ) : (
          <>
            <span className="visually-hidden">{variant.deployment} </span>
            {variant.name}
          </>
        )}
      </Link>
    </span>
  );
}

const TONES: Record<VariantComparison['verdict'], Tone> = {
  helps: 'good',
  harms: 'bad',
  no_difference_shown: 'neutral',
};
const DIFFERENCES = [-1, 1] as const;

/** The verdict on a variant, its difference from the baseline with the interval, and the figures behind both. */
export function AgainstBaseline({ lane }: { lane: GroupedLane }) {
  const { comparison, variant, index } = lane;
  if (isBaseline(lane)) return <Badge>baseline</Badge>;
  if (comparison === undefined) {
    if (variant === undefined) return <>{NOTHING}</>;
    return <span className={css.why}>not compared: {variant.baseline} has no result</span>;
  }
  const { verdict, difference } = comparison;
  const words = variantVerdictInWords(verdict);
  const needs = variantVerdictText(comparison).slice(words.length).trim();
  return (
    <span className={css.drawn}>
      <span>
        <Badge tone={TONES[verdict]}>{words}</Badge> {needs}
      </span>
      <span className={css.why}>{variantFigures(comparison)}</span>
      {difference !== null && (
        <IntervalBar
          estimate={{ mean: difference, interval: shownInterval(comparison) }}
          domain={DIFFERENCES}
          color={laneColor(index)}
          mark={0}
        />
      )}
    </span>
  );
}
