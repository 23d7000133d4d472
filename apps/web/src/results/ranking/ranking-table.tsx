import { costText, knownCost, rankingLines, shownInterval } from '@agentclash/api';
import { Link } from 'wouter';
import { Badge } from '../../design/badge.js';
import {
  formatCompact,
  formatCost,
  formatCount,
  formatDuration,
  formatScore,
  NOTHING,
} from '../../design/format.js';
import { laneColor } from '../../design/lane-mark.js';
import { Panel } from '../../design/panel.js';
import { type Column, Table } from '../../design/table.js';
import type { FileRecord } from '../../design/table-file.js';
import {
  type DimensionEstimate,
  type Estimate,
  estimateRecord,
  intervalKind,
  OVERALL,
  PASS_RATE,
  SEQUENTIAL_NOTE,
} from '../estimates.js';
import { IntervalBar } from '../interval-bar.js';
import { AgainstBaseline, groupOfLane, LaneName } from './lane-cells.js';
import type { GroupedLane } from './lane-groups.js';
import css from './ranking.module.css';

interface RankedProps {
  lanes: readonly GroupedLane[];
}

const WHOLE = [0, 1] as const;

const AGAINST_BASELINE: Column<GroupedLane> = {
  key: 'variant',
  title: 'Against the baseline (95 % interval)',
  cell: (lane) => <AgainstBaseline lane={lane} />,
  file: ({ comparison }) => ({
    verdict_against_baseline: comparison?.verdict ?? null,
    ...estimateRecord('difference', {
      mean: comparison?.difference ?? null,
      interval: comparison ? shownInterval(comparison) : null,
    }),
    p_adjusted: comparison?.p_adjusted ?? null,
  }),
};

type Spent = NonNullable<GroupedLane['spent']>;

/** True where models cost something, or an amount that is unknown. */
function hasCost({ tokens, cost_usd }: Spent): boolean {
  return cost_usd === null ? tokens > 0 : cost_usd > 0;
}

/** The tokens and the cost of models of each lane, where they are known of any. */
function spentColumns(lanes: readonly GroupedLane[]): Column<GroupedLane>[] {
  const spendings = lanes.flatMap(({ spent }) => spent ?? []);
  const columns = [
    {
      ...{ key: 'tokens', title: 'Tokens', isShown: spendings.some(({ tokens }) => tokens > 0) },
      text: ({ tokens }: Spent) => formatCompact(tokens),
      file: ({ spent }: GroupedLane) => ({ tokens: spent?.tokens ?? null }),
    },
    {
      ...{ key: 'cost', title: 'Cost', isShown: spendings.some(hasCost) },
      text: (spent: Spent) => costText(knownCost(spent), formatCost),
      file: ({ spent }: GroupedLane) => costRecord(spent),
    },
  ];
  return columns
    .filter(({ isShown }) => isShown)
    .map(({ key, title, text, file }) => ({
      ...{ key, title, file, isFigure: true, isMinor: true },
      cell: ({ spent }) => (spent === undefined ? NOTHING : text(spent)),
    }));
}

/** The median and the 95th percentile of the times of attempts, where they are known of any lane. */
function latencyColumns(lanes: readonly GroupedLane[]): Column<GroupedLane>[] {
  if (!lanes.some(({ latency }) => latency)) return [];
  return (['p50', 'p95'] as const).map((key) => ({
    ...{ key, title: `${key} time`, isFigure: true, isMinor: true },
    cell: ({ latency }) => formatDuration(latency?.[`${key}_ms`]),
    file: ({ latency }) => ({ [`${key}_ms`]: latency?.[`${key}_ms`] ?? null }),
  }));
}

const NO_ESTIMATE = { mean: null, interval: null, raw: null };

/** The cost of models in files; at least the known part where the cost is unknown. */
function costRecord(spent: GroupedLane['spent']): FileRecord {
  return { cost_usd: spent?.cost_usd ?? null, cost_at_least_usd: spent?.cost_at_least_usd ?? null };
}

/** The names of a lane in files. */
function laneRecord({ id, name, variant }: GroupedLane): FileRecord {
  return {
    ...{ agent: name, run_agent_id: id },
    ...(variant && { deployment: variant.deployment, variant: variant.name }),
  };
}

/** The ranking with the interval of every mean drawn beside it; variants are below their baseline. */
export function RankingTable({ runId, lanes }: RankedProps & { runId: string }) {
  const hasVariants = lanes.some(({ variant }) => variant !== undefined);
  const columns: readonly Column<GroupedLane>[] = [
    {
      ...{ key: 'agent', title: 'Agent', cell: (lane) => <LaneName runId={runId} lane={lane} /> },
      file: (lane) => ({ rank: lane.rank, ...laneRecord(lane) }),
    },
    ...(hasVariants ? [AGAINST_BASELINE] : []),
    {
      key: 'overall',
      title: `Overall (${intervalKind(lanes.map(({ overall }) => overall))})`,
      cell: ({ id, index, overall }) => (
        <Drawn estimate={overall} color={laneColor(index)} to={laneAddress(runId, id, OVERALL)} />
      ),
      file: ({ overall }) => estimateRecord('overall', overall),
    },
    {
      key: 'pass',
      title: 'Pass rate',
      cell: ({ id, index, passRate }) => (
        <Drawn estimate={passRate} color={laneColor(index)} to={laneAddress(runId, id, PASS_RATE)} />
      ),
      file: ({ passRate }) => estimateRecord('pass_rate', passRate),
    },
    {
      key: 'verdict',
      title: 'Verdict',
      cell: ({ passed, validity, verdictReason, missing }) => (
        <>
          {passed === null ? <Badge tone="warn">no verdict</Badge> : null}
          {passed === true && <Badge tone="good">passed</Badge>}
          {passed === false && <Badge tone="bad">failed</Badge>}{' '}
          {validity !== 'valid' && <Badge tone="warn">{validity}</Badge>}
          {verdictReason !== undefined && <p className={css.why}>{verdictReason}</p>}
          {missing !== undefined && <p className={css.why}>{missing}</p>}
        </>
      ),
      file: ({ passed, validity, verdictReason = null, missing = null }) => ({
        ...{ passed, validity, reason: verdictReason ?? missing },
      }),
    },
    {
      key: 'attempts',
      title: 'Attempts',
      isFigure: true,
      isMinor: true,
      cell: ({ usableAttempts, plannedAttempts }) =>
        usableAttempts === null
          ? NOTHING
          : `${formatCount(usableAttempts)}/${formatCount(plannedAttempts ?? 0)}`,
      file: (lane) => ({ usable_attempts: lane.usableAttempts, planned_attempts: lane.plannedAttempts }),
    },
    ...spentColumns(lanes),
    ...latencyColumns(lanes),
    {
      key: 'flaky',
      title: 'Flaky',
      isFigure: true,
      isMinor: true,
      cell: ({ flakeRate }) => (flakeRate === null ? NOTHING : `${Math.round(100 * flakeRate)} %`),
      file: ({ flakeRate }) => ({ flake_rate: flakeRate }),
    },
  ];
  const isSequential = lanes.some(({ overall, passRate }) => overall.isSequential || passRate.isSequential);
  const notes = [...rankingLines(lanes), ...(isSequential ? [SEQUENTIAL_NOTE] : [])];
  return (
    <Panel title="Ranking" isFlush>
      <Table
        label="Ranking"
        columns={columns}
        rows={lanes}
        keyOf={({ id }) => id}
        groupOf={groupOfLane}
        isStacked
      />
      {notes.length > 0 && (
        <div className={css.notes}>
          {notes.map((note) => (
            <p key={note}>{note}</p>
          ))}
        </div>
      )}
    </Panel>
  );
}

interface DrawnProps {
  estimate: Estimate;
  color: string;
  /** Link to the cases of the mean. */
  to: string;
}

/** A mean that opens the cases behind it, its interval drawn below. */
function Drawn({ estimate, color, to }: DrawnProps) {
  return (
    <span className={css.drawn}>
      <Link to={to} className={css.figure}>
        {intervalText(estimate)}
      </Link>
      <IntervalBar estimate={estimate} domain={WHOLE} color={color} />
    </span>
  );
}

/** The page of a lane, its cases in the order of a measure. */
function laneAddress(runId: string, laneId: string, measure: string): string {
  return `/runs/${runId}/agents/${laneId}?measure=${encodeURIComponent(measure)}`;
}

/** Such as `0.714 [0.500, 0.900]`. */
export function intervalText({ mean, interval }: Estimate): string {
  return interval === null
    ? formatScore(mean)
    : `${formatScore(mean)} [${interval.map(formatScore).join(', ')}]`;
}

/** Every dimension of every lane, the measured value beside the score. */
export function Dimensions({ runId, lanes }: RankedProps & { runId: string }) {
  const keys = [...new Set(lanes.flatMap(({ dimensions }) => dimensions.map(({ key }) => key)))];
  if (keys.length === 0) return null;
  const columns: readonly Column<GroupedLane>[] = [
    { key: 'agent', title: 'Agent', cell: ({ name, variant }) => variant?.name ?? name, file: laneRecord },
    ...keys.map(
      (key): Column<GroupedLane> => ({
        key: `dimension ${key}`,
        title: key,
        file: ({ dimensions }) => {
          const { raw = null, ...dimension } = dimensions.find((known) => known.key === key) ?? NO_ESTIMATE;
          return {
            ...estimateRecord(key, dimension),
            ...{ [`${key}_raw`]: raw?.value ?? null, [`${key}_unit`]: raw?.unit ?? null },
          };
        },
        cell: ({ id, index, dimensions }) => {
          const dimension = dimensions.find((known) => known.key === key);
          if (dimension === undefined) return NOTHING;
          return (
            <>
              <Drawn estimate={dimension} color={laneColor(index)} to={laneAddress(runId, id, key)} />
              {dimension.raw !== null && <span className={css.why}>{rawText(dimension.raw)}</span>}
            </>
          );
        },
      }),
    ),
  ];
  return (
    <Panel title="Dimensions" isFlush>
      <Table
        label="Dimensions"
        columns={columns}
        rows={lanes}
        keyOf={({ id }) => id}
        groupOf={groupOfLane}
        isStacked
      />
    </Panel>
  );
}

/** A measured value in its unit. */
export function rawText({ value, unit }: NonNullable<DimensionEstimate['raw']>): string {
  if (unit === 'ms') return formatDuration(value);
  if (unit === 'usd') return formatCost(value);
  return `${Number(value.toPrecision(4))} ${unit ?? ''}`.trim();
}
