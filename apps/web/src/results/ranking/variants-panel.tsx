import {
  type RankingEntry,
  signedPoints,
  type VariantComparison,
  variantVerdictInWords,
  variantVerdictText,
} from '@agentclash/api';
import { Link } from 'wouter';
import { Badge, type Tone } from '../../design/badge.js';
import { formatCount, formatScore, NOTHING } from '../../design/format.js';
import { LaneMark, laneColor } from '../../design/lane-mark.js';
import { Panel } from '../../design/panel.js';
import { type Column, Table } from '../../design/table.js';
import { IntervalBar } from '../interval-bar.js';
import css from './ranking.module.css';

interface VariantsProps {
  runId: string;
  variants: readonly VariantComparison[];
  items: readonly RankingEntry[];
  /** Ids of the run's lanes, whose positions choose their colours. */
  order: readonly string[];
}

/** For each deployment its variants below their baseline, with the verdict of each. */
export function Variants({ runId, variants, items, order }: VariantsProps) {
  const deployments = [...new Set(variants.map(({ deployment }) => deployment))];
  return deployments.map((deployment) => {
    const rows = rowsOf(
      variants.filter((each) => each.deployment === deployment),
      items,
    );
    return (
      <Panel key={deployment} title={`Does it help? Variants of ${deployment}`} isFlush>
        <Table
          label={`Variants of ${deployment}`}
          columns={columnsOf(runId, order)}
          rows={rows}
          keyOf={({ id }) => id}
        />
      </Panel>
    );
  });
}

interface Row {
  id: string;
  name: string;
  mean: number | null;
  measure: VariantComparison['measure'];
  rank: number | null;
  /** Absent for the baseline. */
  comparison?: VariantComparison;
}

/** The baseline, then its variants in the order of the run. */
function rowsOf(variants: readonly VariantComparison[], items: readonly RankingEntry[]): Row[] {
  const [first] = variants;
  if (first === undefined) return [];
  const rankOf = (id: string) => items.find(({ run_agent_id }) => run_agent_id === id)?.rank ?? null;
  const baseline: Row = {
    ...{ id: first.baseline_run_agent_id, name: first.baseline, measure: first.measure },
    ...{ mean: first.baseline_mean, rank: rankOf(first.baseline_run_agent_id) },
  };
  return [
    baseline,
    ...variants.map((comparison) => ({
      ...{ id: comparison.run_agent_id, name: comparison.variant, measure: comparison.measure },
      ...{ mean: comparison.variant_mean, rank: rankOf(comparison.run_agent_id), comparison },
    })),
  ];
}

const TONES: Record<VariantComparison['verdict'], Tone> = {
  helps: 'good',
  harms: 'bad',
  no_difference_shown: 'neutral',
};
const DIFFERENCES = [-1, 1] as const;

function columnsOf(runId: string, order: readonly string[]): Column<Row>[] {
  return [
    {
      key: 'variant',
      title: 'Variant',
      cell: ({ id, name, rank }) => (
        <span className={css.agent}>
          <span className={css.rank}>{rank ?? NOTHING}</span>
          <LaneMark index={order.indexOf(id)} />
          <Link to={`/runs/${runId}/agents/${id}`}>{name}</Link>
        </span>
      ),
    },
    {
      key: 'verdict',
      title: 'Verdict',
      cell: ({ comparison }) => {
        if (comparison === undefined) return <Badge>baseline</Badge>;
        const words = variantVerdictInWords(comparison.verdict);
        const rest = variantVerdictText(comparison).slice(words.length).trim();
        return (
          <>
            <Badge tone={TONES[comparison.verdict]}>{words}</Badge>
            {rest !== '' && <p className={css.why}>{rest}</p>}
          </>
        );
      },
    },
    {
      key: 'difference',
      title: 'Difference in points (95 % interval)',
      cell: ({ id, comparison }) => {
        if (comparison === undefined || comparison.difference === null) return NOTHING;
        const { difference, interval } = comparison;
        return (
          <span className={css.drawn}>
            <span className={css.figure}>
              {signedPoints(difference)}
              {interval !== null && ` [${interval.map(signedPoints).join(', ')}]`}
            </span>
            <IntervalBar
              estimate={{ mean: difference, interval }}
              domain={DIFFERENCES}
              color={laneColor(order.indexOf(id))}
              mark={0}
            />
          </span>
        );
      },
    },
    {
      key: 'mean',
      title: 'Mean',
      isFigure: true,
      cell: ({ mean, measure }) => (
        <>
          {formatScore(mean)}
          <p className={css.why}>{measure === 'pass' ? 'pass rate' : 'overall score'}</p>
        </>
      ),
    },
    {
      key: 'cases',
      title: 'Common cases',
      isFigure: true,
      isMinor: true,
      cell: ({ comparison }) => (comparison === undefined ? NOTHING : formatCount(comparison.cases)),
    },
  ];
}
