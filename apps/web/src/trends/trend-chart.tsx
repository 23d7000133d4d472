import { runHandle } from '@agentclash/api';
import { scaleLinear, scalePoint } from 'd3-scale';
import { Link } from 'wouter';
import chart from '../design/chart/chart.module.css';
import { useChartSize } from '../design/chart/chart-size.js';
import { LeftAxis } from '../design/chart/left-axis.js';
import { laneColor } from '../design/lane-mark.js';
import css from './trend.module.css';
import { isKnown, type Measure, type Series, type TrendRun } from './trend-series.js';

const HEIGHT = 280;
const MARGIN = { left: 64, right: 24, top: 16, bottom: 36 };
/** Of characters of the number of a run, with the space to the next. */
const HANDLE_CHARACTERS = 7;

interface TrendChartProps {
  /** The oldest first. */
  runs: readonly TrendRun[];
  series: readonly Series[];
  measure: Measure;
}

/**
 * The drawing of the table beside it, and hidden from programs that read the table. Its points are links for the mouse; the
 * table has the same links.
 */
export function TrendChart({ runs, series, measure }: TrendChartProps) {
  const { width, font, character } = useChartSize(HEIGHT);
  const lines = series.map(({ key, agents }) => ({
    key,
    points: runs.flatMap((run) => {
      const agent = agents.get(run.id);
      const value = agent && measure.of(agent);
      return isKnown(value) ? [{ run, value }] : [];
    }),
  }));
  const values = lines.flatMap(({ points }) => points.map(({ value }) => value));
  const range = [MARGIN.left, width - MARGIN.right] as const;
  const x = scalePoint(
    runs.map(({ id }) => id),
    range,
  ).padding(0.5);
  const y = scaleLinear([0, measure.max ?? (Math.max(...values) || 1)], [HEIGHT - MARGIN.bottom, MARGIN.top]);
  if (measure.max === undefined) y.nice();
  const every = Math.ceil((runs.length * HANDLE_CHARACTERS * character) / (range[1] - range[0]));
  const at = ({ run, value }: { run: TrendRun; value: number }) => ({ left: x(run.id) ?? 0, top: y(value) });
  return (
    <svg className={chart.chart} viewBox={`0 0 ${width} ${HEIGHT}`} fontSize={font} aria-hidden="true">
      <LeftAxis ticks={y.ticks(5)} y={y} range={range} text={measure.tick ?? measure.text} />
      {runs.map(
        (run, index) =>
          (runs.length - 1 - index) % every === 0 && (
            <text key={run.id} x={x(run.id)} y={HEIGHT - MARGIN.bottom + 18} className={chart.below}>
              {run.number === undefined ? '' : runHandle(run)}
            </text>
          ),
      )}
      {lines.map(({ key, points }, index) => {
        const color = laneColor(index);
        const path = points.map(at).map(({ left, top }) => `${left},${top}`);
        return (
          <g key={key}>
            {path.length > 1 && <path className={css.line} d={`M${path.join('L')}`} stroke={color} />}
            {points.map((point) => {
              const { left, top } = at(point);
              return (
                <Link key={point.run.id} to={`/runs/${point.run.id}`} tabIndex={-1}>
                  <circle cx={left} cy={top} r={5} fill={color}>
                    <title>{`${runHandle(point.run)}, ${key}: ${measure.text(point.value)}`}</title>
                  </circle>
                </Link>
              );
            })}
          </g>
        );
      })}
    </svg>
  );
}
