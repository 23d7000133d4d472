import { Link } from 'wouter';
import { Badge } from '../../design/badge.js';
import { formatCount, formatScore, NOTHING } from '../../design/format.js';
import { LaneMark, laneColor } from '../../design/lane-mark.js';
import { Panel } from '../../design/panel.js';
import { type Column, Table } from '../../design/table.js';
import type { Estimate, RankedLane } from '../estimates.js';
import { IntervalBar } from '../interval-bar.js';
import css from './ranking.module.css';

export interface RankedProps {
  lanes: readonly RankedLane[];
  /** Ids of the run's lanes, whose places choose their colours. */
  order: readonly string[];
}

const WHOLE = [0, 1] as const;

/** The ranking with the interval of every mean drawn beside it. */
export function RankingTable({ runId, lanes, order }: RankedProps & { runId: string }) {
  const columns: readonly Column<RankedLane>[] = [
    {
      key: 'agent',
      title: 'Agent',
      cell: ({ id, name, rank }) => (
        <span className={css.agent}>
          <span className={css.rank}>{rank ?? NOTHING}</span>
          <LaneMark index={order.indexOf(id)} />
          <Link to={`/runs/${runId}/agents/${id}`}>{name}</Link>
        </span>
      ),
    },
    {
      key: 'overall',
      title: 'Overall, with its 95 % interval',
      cell: ({ id, overall }) => <Drawn estimate={overall} color={laneColor(order.indexOf(id))} />,
    },
    {
      key: 'pass',
      title: 'Pass rate',
      cell: ({ id, passRate }) => <Drawn estimate={passRate} color={laneColor(order.indexOf(id))} />,
    },
    {
      key: 'verdict',
      title: 'Verdict',
      cell: ({ passed, validity }) => (
        <>
          {passed === null ? <Badge tone="warn">no verdict</Badge> : null}
          {passed === true && <Badge tone="good">passed</Badge>}
          {passed === false && <Badge tone="bad">failed</Badge>}{' '}
          {validity !== 'valid' && <Badge tone="warn">{validity}</Badge>}
        </>
      ),
    },
    { key: 'reason', title: 'Decided by', isMinor: true, cell: ({ reason }) => reason.replaceAll('_', ' ') },
    {
      key: 'attempts',
      title: 'Attempts',
      isFigure: true,
      isMinor: true,
      cell: ({ usableAttempts, plannedAttempts }) =>
        usableAttempts === null
          ? NOTHING
          : `${formatCount(usableAttempts)}/${formatCount(plannedAttempts ?? 0)}`,
    },
    {
      key: 'flaky',
      title: 'Flaky',
      isFigure: true,
      isMinor: true,
      cell: ({ flakeRate }) => (flakeRate === null ? NOTHING : `${Math.round(100 * flakeRate)} %`),
    },
  ];
  return (
    <Panel title="Ranking" isFlush>
      <Table label="Ranking" columns={columns} rows={lanes} keyOf={({ id }) => id} />
    </Panel>
  );
}

function Drawn({ estimate, color }: { estimate: Estimate; color: string }) {
  return (
    <span className={css.drawn}>
      <span className="figures">{intervalText(estimate)}</span>
      <IntervalBar estimate={estimate} domain={WHOLE} color={color} />
    </span>
  );
}

/** Such as `0.714 [0.500, 0.900]`. */
export function intervalText({ mean, ci }: Estimate): string {
  return ci === null ? formatScore(mean) : `${formatScore(mean)} [${ci.map(formatScore).join(', ')}]`;
}
