import { scaleLinear, scaleLog } from 'd3-scale';
import chart from '../../design/chart/chart.module.css';
import { useChartSize } from '../../design/chart/chart-size.js';
import { LeftAxis } from '../../design/chart/left-axis.js';
import { classes } from '../../design/classes.js';
import { formatScore } from '../../design/format.js';
import { laneColor } from '../../design/lane-mark.js';
import { apart, labelPositions } from './label-positions.js';
import type { GroupedLane } from './lane-groups.js';
import { needsLogAxis, paretoFront } from './pareto.js';
import css from './pareto-chart.module.css';

const HEIGHT = 320;
const MARGIN = { left: 48, right: 24, top: 16, bottom: 44 };
/** Between a point and its label. */
const GAP = 10;
/** From the edge for those that cost nothing to a logarithmic axis. */
const FREE = 48;
const LABEL_CHARACTERS_MAX = 32;

/** An agent with a score and an expense. */
export interface Point {
  lane: GroupedLane;
  expense: number;
  score: number;
}

interface ParetoChartProps {
  points: readonly Point[];
  title: string;
  text: (expense: number) => string;
  /** Of a tick of the axis. */
  tick: (expense: number) => string;
}

/** The drawing of the table beside it. */
export function ParetoChart({ points, title, text, tick: tickText }: ParetoChartProps) {
  const size = useChartSize(HEIGHT);
  const { width, font, line, character } = size;
  const expenses = points.map(({ expense }) => expense);
  const range = [MARGIN.left, width - MARGIN.right] as const;
  const { x, ticks, isLog } = expenseAxis(expenses, range, size.ticks);
  const y = scaleLinear([0, 1], [HEIGHT - MARGIN.bottom, MARGIN.top]).clamp(true);
  const at = (point: Point) => ({ x: x(point.expense), y: y(point.score) });
  const names = points.map((point) => {
    const { x: middle } = at(point);
    const free = Math.max(width - middle, middle - MARGIN.left) - GAP;
    return shortened(point.lane.name, Math.min(LABEL_CHARACTERS_MAX, Math.floor(free / character)));
  });
  const labels = labelPositions(
    points.map((point, index) => ({ ...at(point), width: (names[index] ?? '').length * character })),
    // A label is around the middle of its line, and the axis has its own texts.
    { right: width, top: MARGIN.top, bottom: HEIGHT - MARGIN.bottom - line / 2, line, gap: GAP },
  );
  const front = paretoFront(points).map(at);
  const described = points.map(
    ({ lane, expense, score }) => `${lane.name}: ${formatScore(score)} at ${text(expense)}`,
  );
  return (
    <svg
      className={chart.chart}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      fontSize={font}
      role="img"
      aria-label={described.join('; ')}
    >
      <LeftAxis ticks={y.ticks(5)} y={y} range={range} text={(tick) => tick.toFixed(1)} />
      {apart(ticks, (tick) => ({ middle: x(tick), width: tickText(tick).length * character }), width).map(
        (tick) => (
          <text key={tick} x={x(tick)} y={HEIGHT - MARGIN.bottom + 18} className={chart.below}>
            {tickText(tick)}
          </text>
        ),
      )}
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
function expenseAxis(
  expenses: readonly number[],
  [left, right]: readonly [number, number],
  ticks: number,
): ExpenseAxis {
  const paid = expenses.filter((expense) => expense > 0);
  const dearest = Math.max(...expenses);
  if (!needsLogAxis(paid)) {
    const x = scaleLinear([0, dearest * 1.1 || 1], [left, right]).nice();
    return { x, ticks: x.ticks(ticks), isLog: false };
  }
  const hasFree = paid.length < expenses.length;
  const x = scaleLog([Math.min(...paid) / 1.3, dearest * 1.3], [hasFree ? left + FREE : left, right]);
  return {
    x: (expense) => (expense > 0 ? x(expense) : left),
    ticks: [...(hasFree ? [0] : []), ...spread(x.ticks(ticks), ticks)],
    isLog: true,
  };
}

/** About as many of the ticks: a logarithmic axis has nine in each power of ten. */
function spread(ticks: readonly number[], count: number): number[] {
  const step = Math.ceil(ticks.length / (count + 1));
  return ticks.filter((_, index) => index % step === 0);
}

function shortened(name: string, characters: number): string {
  return name.length <= characters ? name : `${name.slice(0, Math.max(1, characters - 1))}…`;
}
