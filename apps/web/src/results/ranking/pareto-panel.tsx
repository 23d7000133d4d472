import { scaleLinear, scaleLog } from 'd3-scale';
import { useState } from 'react';
import { Link } from 'wouter';
import chart from '../../design/chart/chart.module.css';
import { LeftAxis } from '../../design/chart/left-axis.js';
import { classes } from '../../design/classes.js';
import { SelectField } from '../../design/field.js';
import { formatCost, formatDuration, formatScore } from '../../design/format.js';
import { LaneMark, laneColor } from '../../design/lane-mark.js';
import { Panel } from '../../design/panel.js';
import { type Column, Table } from '../../design/table.js';
import { labelPositions } from './label-positions.js';
import type { GroupedLane } from './lane-groups.js';
import { needsLogAxis, paretoFront } from './pareto.js';
import css from './pareto-panel.module.css';

const WIDTH = 720;
const HEIGHT = 320;
const MARGIN = { left: 48, right: 24, top: 16, bottom: 44 };
const TICKS = 4;
/** From the edge for those that cost nothing to a logarithmic axis. */
const FREE = 48;
const LINE = 16;
/** Of a character of a label, on average and rather too wide. */
const CHARACTER = 7.5;
const LABEL_CHARACTERS_MAX = 32;

const EXPENSES = {
  cost: { title: 'cost', of: costOf, text: formatCost },
  latency: { title: 'median time', of: timeOf, text: formatDuration },
} as const;
type Expense = keyof typeof EXPENSES;

interface Point {
  lane: GroupedLane;
  expense: number;
  score: number;
}

/** The score of each agent against its cost or its time: those on the line are beaten by none. */
export function ParetoPanel({ runId, lanes }: { runId: string; lanes: readonly GroupedLane[] }) {
  const [chosen, setChosen] = useState<Expense>('cost');
  const known = (Object.keys(EXPENSES) as Expense[]).filter((key) => isCompared(pointsOf(lanes, key)));
  const expense = known.includes(chosen) ? chosen : known[0];
  if (expense === undefined) return null;
  const { title, text } = EXPENSES[expense];
  const points = pointsOf(lanes, expense);
  const front = new Set(paretoFront(points).map(({ lane }) => lane.id));
  const unknown = lanes.filter(
    (lane) => lane.overall.mean !== null && EXPENSES[expense].of(lane) === undefined,
  );
  const columns: readonly Column<Point>[] = [
    {
      key: 'agent',
      title: 'Agent',
      cell: ({ lane }) => (
        <>
          <LaneMark index={lane.index} /> <Link to={`/runs/${runId}/agents/${lane.id}`}>{lane.name}</Link>
        </>
      ),
    },
    { key: 'score', title: 'Score', isFigure: true, cell: ({ score }) => formatScore(score) },
    { key: 'expense', title: `${title} an attempt`, isFigure: true, cell: (point) => text(point.expense) },
    {
      key: 'front',
      title: 'Pareto front',
      cell: ({ lane }) => (front.has(lane.id) ? 'yes' : 'beaten'),
    },
  ];
  return (
    <Panel
      title={`Score against ${title}`}
      actions={
        known.length > 1 && (
          <SelectField
            label="Against"
            value={expense}
            onChange={({ target }) => setChosen(target.value as Expense)}
          >
            {known.map((key) => (
              <option key={key} value={key}>
                {EXPENSES[key].title}
              </option>
            ))}
          </SelectField>
        )
      }
    >
      <Chart points={points} title={title} text={text} />
      <Table
        label={`Score and ${title} of each agent`}
        columns={columns}
        rows={[...points].sort((a, b) => a.expense - b.expense)}
        keyOf={({ lane }) => lane.id}
      />
      {unknown.length > 0 && (
        <p>
          Not compared, as the {title} is unknown: {unknown.map(({ name }) => name).join(', ')}
        </p>
      )}
    </Panel>
  );
}

interface ChartProps {
  points: readonly Point[];
  title: string;
  text: (expense: number) => string;
}

/** The drawing of the table beside it. */
function Chart({ points, title, text }: ChartProps) {
  const expenses = points.map(({ expense }) => expense);
  const range = [MARGIN.left, WIDTH - MARGIN.right] as const;
  const { x, ticks, isLog } = expenseAxis(expenses, range);
  const y = scaleLinear([0, 1], [HEIGHT - MARGIN.bottom, MARGIN.top]).clamp(true);
  const at = (point: Point) => ({ x: x(point.expense), y: y(point.score) });
  const names = points.map(({ lane }) => shortened(lane.name));
  const labels = labelPositions(
    points.map((point, index) => ({ ...at(point), width: (names[index] ?? '').length * CHARACTER })),
    { right: WIDTH, top: MARGIN.top, bottom: HEIGHT - MARGIN.bottom, line: LINE, gap: 10 },
  );
  const front = paretoFront(points).map(at);
  const described = points.map(
    ({ lane, expense, score }) => `${lane.name}: ${formatScore(score)} at ${text(expense)}`,
  );
  return (
    <svg
      className={chart.chart}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={described.join('; ')}
    >
      <LeftAxis ticks={y.ticks(5)} y={y} range={range} text={(tick) => tick.toFixed(1)} />
      {ticks.map((tick) => (
        <text key={tick} x={x(tick)} y={HEIGHT - MARGIN.bottom + 18} className={chart.below}>
          {text(tick)}
        </text>
      ))}
      {front.length > 1 && <path className={css.front} d={stairs(front)} />}
      {points.map((point) => {
        const { x: left, y: middle } = at(point);
        const color = laneColor(point.lane.index);
        const interval = point.lane.overall.interval;
        return (
          <g key={point.lane.id}>
            {interval !== null && (
              <line x1={left} x2={left} y1={y(interval[0])} y2={y(interval[1])} stroke={color} />
            )}
            <circle cx={left} cy={middle} r={6} fill={color} />
          </g>
        );
      })}
      {/* After all lines, which would cross them. */}
      {labels.map((label, index) => (
        <text
          key={points[index]?.lane.id}
          x={label.x}
          y={label.y}
          className={classes(css.label, label.isBefore && css.before)}
        >
          {names[index]}
        </text>
      ))}
      <text x={(range[0] + range[1]) / 2} y={HEIGHT - 6} className={chart.below}>
        mean score against {title} an attempt{isLog ? ', logarithmic' : ''}
      </text>
    </svg>
  );
}

/** A line to the right, then up, from each point to the next. */
function stairs(points: readonly { x: number; y: number }[]): string {
  const [first, ...others] = points;
  if (first === undefined) return '';
  return `M${first.x},${first.y}${others.map(({ x, y }) => `H${x}V${y}`).join('')}`;
}

interface ExpenseAxis {
  x: (expense: number) => number;
  ticks: readonly number[];
  isLog: boolean;
}

/** From the left to the right edge. A logarithmic axis has no place for nothing: then the left edge is 0, apart from it. */
function expenseAxis(expenses: readonly number[], [left, right]: readonly [number, number]): ExpenseAxis {
  const paid = expenses.filter((expense) => expense > 0);
  const dearest = Math.max(...expenses);
  if (!needsLogAxis(paid)) {
    const x = scaleLinear([0, dearest * 1.1 || 1], [left, right]).nice();
    return { x, ticks: spread(x.ticks(TICKS)), isLog: false };
  }
  const hasFree = paid.length < expenses.length;
  const x = scaleLog([Math.min(...paid) / 1.3, dearest * 1.3], [hasFree ? left + FREE : left, right]);
  return {
    x: (expense) => (expense > 0 ? x(expense) : left),
    ticks: [...(hasFree ? [0] : []), ...spread(x.ticks(TICKS))],
    isLog: true,
  };
}

/** At most a few of the ticks: a logarithmic axis has nine in each power of ten. */
function spread(ticks: readonly number[]): number[] {
  const step = Math.ceil(ticks.length / (TICKS + 1));
  return ticks.filter((_, index) => index % step === 0);
}

function shortened(name: string): string {
  return name.length <= LABEL_CHARACTERS_MAX ? name : `${name.slice(0, LABEL_CHARACTERS_MAX - 1)}…`;
}

/** False where nothing costs anything, or nothing is known. */
function isCompared(points: readonly Point[]): boolean {
  return points.some(({ expense }) => expense > 0);
}

function pointsOf(lanes: readonly GroupedLane[], key: Expense): Point[] {
  return lanes.flatMap((lane) => {
    const expense = EXPENSES[key].of(lane);
    const score = lane.overall.mean;
    return expense === undefined || score === null ? [] : [{ lane, expense, score }];
  });
}

/** In US dollars an attempt: as measured for a dimension, else of all calls of models. */
function costOf(lane: GroupedLane): number | undefined {
  const measured = rawOf(lane, 'usd');
  if (measured !== undefined) return measured;
  const cost = lane.spent?.cost_usd ?? undefined;
  return cost === undefined || !lane.plannedAttempts ? undefined : cost / lane.plannedAttempts;
}

function timeOf(lane: GroupedLane): number | undefined {
  return lane.latency?.p50_ms ?? rawOf(lane, 'ms');
}

function rawOf({ dimensions }: GroupedLane, unit: string): number | undefined {
  return dimensions.find(({ raw }) => raw?.unit === unit)?.raw?.value;
}
