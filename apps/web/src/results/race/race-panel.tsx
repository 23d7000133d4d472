import {
  costText,
  differenceInWords,
  laneSpending,
  type PairMeter,
  pairInWords,
  pairMeters,
  type Run,
  type RunAgent,
  raceStateOf,
  savedText,
} from '@agentclash/api';
import { formatCost, formatCount, NOTHING } from '../../design/format.js';
import { Panel } from '../../design/panel.js';
import { type Column, Table } from '../../design/table.js';
import { PairBar, PairNames, PairVerdictBadge } from './pair-verdict.js';
import css from './race.module.css';

interface RacePanelProps {
  run: Run;
  agents: readonly RunAgent[];
  /** Only the pairs of this lane. */
  laneId?: string;
}

/** The figures of a run that was requested to stop early, and the verdicts of its pairs; nothing for other runs. */
export function RacePanel({ run, agents, laneId }: RacePanelProps) {
  const state = raceStateOf(run, agents.map(laneSpending));
  if (state === undefined) return null;
  const { race, stopped = 'no', seed } = run;
  const { used, ofLanes, total, savings } = state;
  const counted = stopped === 'budget' ? [...new Set(ofLanes)] : [used];
  const nameOf = (id: string) => agents.find((agent) => agent.id === id)?.name ?? id;
  const facts = {
    'Stopped early': stopped,
    [race === undefined ? 'Attempts used' : 'Cases used']:
      `${counted.map(formatCount).join(' to ')} of ${formatCount(total)}`,
    'Attempts saved': formatCount(savings.attempts),
    Cost: costText({ costUsd: savings.spentAtLeastUsd, isCostKnown: savings.spentUsd !== null }, formatCost),
    'Cost saved': savedText(savings, formatCost),
    Seed: seed === undefined ? NOTHING : String(seed),
    ...(race && { Alpha: String(race.alpha), Margin: String(race.margin) }),
    ...(race?.goal === 'best' && {
      [race.best.length > 1 ? 'Best, not separated' : 'Best']: race.best.map(nameOf).join(', ') || 'open',
    }),
  };
  const pairs = race === undefined ? [] : pairMeters(race, agents).filter(isOf(laneId));
  return (
    <Panel title="Race">
      <dl className={css.facts}>
        {Object.entries(facts).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="figures">{value}</dd>
          </div>
        ))}
      </dl>
      {pairs.length > 0 && (
        <Table
          label="Verdicts"
          columns={columnsOf(run, agents)}
          rows={pairs}
          keyOf={({ a, b }) => `${a.id} ${b.id}`}
          isStacked
        />
      )}
    </Panel>
  );
}

function isOf(laneId: string | undefined): (pair: PairMeter) => boolean {
  return ({ a, b }) => laneId === undefined || a.id === laneId || b.id === laneId;
}

function columnsOf(run: Run, agents: readonly RunAgent[]): readonly Column<PairMeter>[] {
  return [
    { key: 'pair', title: 'Pair', cell: (pair) => <PairNames pair={pair} runId={run.id} agents={agents} /> },
    {
      key: 'verdict',
      title: 'Verdict',
      cell: (pair) => (
        <>
          <PairVerdictBadge verdict={pair.verdict} />{' '}
          {pair.verdict !== null && <span className={css.text}>{pairInWords(pair)}</span>}
        </>
      ),
    },
    {
      key: 'difference',
      title: 'Difference, with its confidence sequence',
      cell: (pair) => (
        <span className={css.drawn}>
          <span className="figures">{differenceInWords(pair)}</span>
          <PairBar pair={pair} />
        </span>
      ),
    },
    { key: 'cases', title: 'Cases (t)', isFigure: true, cell: ({ cases }) => formatCount(cases) },
    {
      key: 'population',
      title: 'Of (N)',
      isFigure: true,
      cell: ({ population }) => formatCount(population),
    },
    { key: 'missing', title: 'Missing', isFigure: true, cell: ({ missing }) => formatCount(missing) },
  ];
}
