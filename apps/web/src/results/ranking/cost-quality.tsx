import { scaleLinear } from 'd3-scale';
import { formatScore } from '../../design/format.js';
import { laneColor } from '../../design/lane-mark.js';
import { Panel } from '../../design/panel.js';
import type { DimensionEstimate } from '../estimates.js';
import type { GroupedLane } from './lane-groups.js';
import css from './ranking.module.css';
import { type RankedProps, rawText } from './ranking-table.js';

const WIDTH = 640;
const HEIGHT = 300;
const MARGIN = { left: 52, right: 120, top: 12, bottom: 40 };
/** Of the axis of cost or time, approximately. */
const TICKS = 4;
const UNITS = ['usd', 'ms'] as const;
const TITLES: Record<(typeof UNITS)[number], string> = { usd: 'cost', ms: 'time' };

interface Point {
  lane: GroupedLane;
  raw: NonNullable<DimensionEstimate['raw']>;
  quality: number;
}

/** Quality against cost in money, or else in time: better is up, cheaper is left. */
export function CostQuality({ lanes }: RankedProps) {
  const unit = UNITS.find((known) => pointsOf(lanes, known).length > 0);
  if (unit === undefined) return null;
  const points = pointsOf(lanes, unit);
  const dearest = Math.max(...points.map(({ raw }) => raw.value));
  const x = scaleLinear([0, dearest || 1], [MARGIN.left, WIDTH - MARGIN.right]).nice();
  const inDollars = x.tickFormat(TICKS);
  const y = scaleLinear([0, 1], [HEIGHT - MARGIN.bottom, MARGIN.top]).clamp(true);
  const descriptions = points.map(
    ({ lane, raw, quality }) => `${lane.name}: ${formatScore(quality)} at ${rawText(raw)}`,
  );
  return (
    <Panel title={`Quality against ${TITLES[unit]}`}>
      <svg
        className={css.chart}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={descriptions.join('; ')}
      >
        {y.ticks(5).map((tick) => (
          <g key={tick}>
            <line x1={MARGIN.left} x2={WIDTH - MARGIN.right} y1={y(tick)} y2={y(tick)} className={css.grid} />
            <text x={MARGIN.left - 8} y={y(tick)} className={css.left}>
              {tick.toFixed(1)}
            </text>
          </g>
        ))}
        {x.ticks(TICKS).map((tick) => (
          <text key={tick} x={x(tick)} y={HEIGHT - MARGIN.bottom + 18} className={css.below}>
            {unit === 'usd' ? `$${inDollars(tick)}` : rawText({ value: tick, unit })}
          </text>
        ))}
        {points.map(({ lane, raw, quality }) => (
          <g key={lane.id}>
            {lane.overall.interval !== null && (
              <line
                x1={x(raw.value)}
                x2={x(raw.value)}
                y1={y(lane.overall.interval[0])}
                y2={y(lane.overall.interval[1])}
                stroke={laneColor(lane.index)}
              />
            )}
            <circle cx={x(raw.value)} cy={y(quality)} r={6} fill={laneColor(lane.index)} />
            <text x={x(raw.value) + 10} y={y(quality)} className={css.name}>
              {lane.name}
            </text>
          </g>
        ))}
        <text x={(MARGIN.left + WIDTH - MARGIN.right) / 2} y={HEIGHT - 4} className={css.below}>
          mean {TITLES[unit]} per attempt
        </text>
      </svg>
    </Panel>
  );
}

function pointsOf(lanes: readonly GroupedLane[], unit: string): Point[] {
  return lanes.flatMap((lane) => {
    const measured = lane.dimensions.find((dimension) => dimension.raw?.unit === unit)?.raw;
    const raw = measured ?? (unit === 'usd' ? meanCost(lane) : undefined);
    const quality = lane.overall.mean;
    return raw == null || quality === null ? [] : [{ lane, raw, quality }];
  });
}

/** The cost of models per attempt, for packs without a dimension of cost. */
function meanCost({ spent, plannedAttempts }: GroupedLane): Point['raw'] | undefined {
  if (!spent?.cost_usd || !plannedAttempts) return undefined;
  return { value: spent.cost_usd / plannedAttempts, unit: 'usd' };
}
