import { scaleLinear } from 'd3-scale';
import type { Estimate } from './estimates.js';
import css from './interval-bar.module.css';

interface IntervalBarProps {
  estimate: Estimate;
  /** Values at the ends of the axis. */
  domain: readonly [number, number];
  color: string;
  /** Drawn as a thin line, such as a threshold or zero. */
  mark?: number;
  /** Half the width of a band around the mark. */
  band?: number;
}

const WIDTH = 200;
const HEIGHT = 18;
const CAP = 4;

/** A mean with its interval on an axis. Decorative: the values are beside it as text. */
export function IntervalBar({
  estimate: { mean, interval },
  domain,
  color,
  mark,
  band = 0,
}: IntervalBarProps) {
  const x = scaleLinear([...domain], [CAP, WIDTH - CAP]).clamp(true);
  const middle = HEIGHT / 2;
  // An end outside of the axis is not drawn.
  const isShown = (end: number) => end >= domain[0] && end <= domain[1];
  return (
    <svg className={css.bar} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {mark !== undefined && band > 0 && (
        <rect
          x={x(mark - band)}
          width={x(mark + band) - x(mark - band)}
          y={0}
          height={HEIGHT}
          className={css.band}
        />
      )}
      <line x1={CAP} x2={WIDTH - CAP} y1={middle} y2={middle} className={css.axis} />
      {mark !== undefined && <line x1={x(mark)} x2={x(mark)} y1={0} y2={HEIGHT} className={css.mark} />}
      {interval !== null && (
        <g stroke={color} strokeWidth={2}>
          <line x1={x(interval[0])} x2={x(interval[1])} y1={middle} y2={middle} />
          {interval.filter(isShown).map((end) => (
            <line key={end} x1={x(end)} x2={x(end)} y1={middle - CAP} y2={middle + CAP} />
          ))}
        </g>
      )}
      {mean !== null && <circle cx={x(mean)} cy={middle} r={CAP} fill={color} />}
    </svg>
  );
}
