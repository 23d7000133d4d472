import type { ReactNode } from 'react';
import css from './badge.module.css';
import { classes } from './classes.js';

export type Tone = 'neutral' | 'good' | 'bad' | 'warn' | 'accent';

/** A short status word; the tone repeats its meaning as a colour. */
export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={classes(css.badge, css[tone])}>{children}</span>;
}
