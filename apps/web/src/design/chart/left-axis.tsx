import css from './chart.module.css';

interface LeftAxisProps {
  ticks: readonly number[];
  /** The height of a value in the drawing. */
  y: (value: number) => number;
  /** Left and right ends of the lines. */
  range: readonly [number, number];
  text: (value: number) => string;
}

/** Horizontal lines with their values at the left. */
export function LeftAxis({ ticks, y, range: [from, to], text }: LeftAxisProps) {
  return ticks.map((tick) => (
    <g key={tick}>
      <line x1={from} x2={to} y1={y(tick)} y2={y(tick)} className={css.grid} />
      <text x={from - 8} y={y(tick)} className={css.left}>
        {text(tick)}
      </text>
    </g>
  ));
}
