import { classes } from './classes.js';
import css from './meter.module.css';

interface MeterPart {
  /** Share of the whole, 0 to 1. */
  share: number;
  tone: 'good' | 'bad' | 'warn' | 'accent' | 'neutral';
}

interface MeterProps {
  /** Accessible name, such as "12 of 40 attempts finished". */
  label: string;
  parts: readonly MeterPart[];
}

/** A stacked bar. */
export function Meter({ label, parts }: MeterProps) {
  return (
    <span className={css.meter} role="img" aria-label={label}>
      {parts.map(({ share, tone }) => (
        <i key={tone} className={classes(css.part, css[tone])} style={{ inlineSize: `${share * 100}%` }} />
      ))}
    </span>
  );
}
