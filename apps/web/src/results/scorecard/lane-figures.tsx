import { costText, knownCost, pricesInWords, type RunAgent } from '@agentclash/api';
import { listOf, numberOf, recordOf } from '@agentclash/domain';
import { Link } from 'wouter';
import { formatCost, formatCount, NOTHING } from '../../design/format.js';
import { Panel } from '../../design/panel.js';
import { type Column, Table } from '../../design/table.js';
import {
  type Estimate,
  estimateOf,
  estimateRecord,
  intervalKind,
  OVERALL,
  PASS_RATE,
  SEQUENTIAL_NOTE,
} from '../estimates.js';
import { IntervalBar } from '../interval-bar.js';
import { intervalText } from '../ranking/ranking-table.js';
import css from './scorecard.module.css';

interface Measure extends Estimate {
  name: string;
}

const WHOLE = [0, 1] as const;
const columnsOf = (measures: readonly Measure[]): readonly Column<Measure>[] => [
  { key: 'name', title: 'Measure', cell: ({ name }) => name, file: ({ name }) => ({ measure: name }) },
  {
    key: 'mean',
    title: `Mean (${intervalKind(measures)})`,
    cell: (measure) => (
      <Link to={`?measure=${encodeURIComponent(measure.name)}`} replace>
        {intervalText(measure)}
      </Link>
    ),
    file: (measure) => estimateRecord('mean', measure),
  },
  {
    key: 'drawn',
    title: <span className="visually-hidden">Drawn</span>,
    isMinor: true,
    cell: (measure) => <IntervalBar estimate={measure} domain={WHOLE} color="var(--accent)" />,
  },
];

interface LaneFiguresProps {
  scorecard: Readonly<Record<string, unknown>>;
  /** By all its attempts on models; undefined while it is loading. */
  spent: RunAgent['tally'];
  /** Of the models that it calls. */
  prices?: RunAgent['prices'];
}

/** The measures of a lane with their intervals, and its results over repetitions. */
export function LaneFigures({ scorecard, spent, prices = [] }: LaneFiguresProps) {
  const { overall, pass_rate, dimensions, flake_rate, missing_share } = scorecard;
  const measures: Measure[] = [
    { name: OVERALL, ...estimateOf(overall) },
    { name: PASS_RATE, ...estimateOf(pass_rate) },
    ...Object.entries(recordOf(dimensions)).map(([name, value]) => ({ name, ...estimateOf(value) })),
  ];
  const flaky = listOf(scorecard.flaky_cases).length;
  const facts = {
    'pass@k (at least one of k passes)': tries(scorecard.pass_at_k),
    'pass^k (all of k pass)': tries(scorecard.pass_hat_k),
    'Flake rate': `${percent(numberOf(flake_rate))}, ${formatCount(flaky)} flaky cases`,
    'Missing attempts': percent(numberOf(missing_share)),
    ...(spent &&
      spent.tokens > 0 && {
        Tokens: formatCount(spent.tokens),
        'Cost of models': costText(knownCost(spent), formatCost),
      }),
    ...(prices.length > 0 && { Prices: pricesInWords([{ prices }]).join('; ') }),
  };
  return (
    <>
      <Panel title="Measures" isFlush>
        <Table label="Measures" columns={columnsOf(measures)} rows={measures} keyOf={({ name }) => name} />
        {measures.some(({ isSequential }) => isSequential) && <p className={css.note}>{SEQUENTIAL_NOTE}</p>}
      </Panel>
      <Panel title="Attempts together">
        <dl className={css.tries}>
          {Object.entries(facts).map(([what, figure]) => (
            <div key={what}>
              <dt>{what}</dt>
              <dd className="figures">{figure}</dd>
            </div>
          ))}
        </dl>
      </Panel>
    </>
  );
}

/** Such as `1: 0.43, 3: 0.71`. */
function tries(value: unknown): string {
  const known = Object.entries(recordOf(value)).flatMap(([k, at]) => {
    const share = numberOf(recordOf(at).value);
    return share === null ? [] : [`k = ${k}: ${share.toFixed(2)}`];
  });
  return known.join(', ') || NOTHING;
}

function percent(share: number | null): string {
  return share === null ? NOTHING : `${Math.round(100 * share)} %`;
}
