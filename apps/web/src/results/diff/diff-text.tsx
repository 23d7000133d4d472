import { useMemo } from 'react';
import { classes } from '../../design/classes.js';
import css from './diff.module.css';
import { wordDiff } from './word-diff.js';

interface DiffTextProps {
  /** Its words that the other lacks are marked as removed. */
  left: string;
  right: string;
  label: string;
  /** In the font of code. */
  isCode?: boolean;
}

/** Two texts as one: words of the left side alone are marked as removed, those of the right side alone as added. */
export function DiffText({ left, right, label, isCode = false }: DiffTextProps) {
  const parts = useMemo(() => wordDiff(left, right), [left, right]);
  return (
    <figure aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls must be reachable by keyboard. */}
      <pre className={classes(css.text, isCode && css.code)} tabIndex={0}>
        {parts.map(({ in: side, text }, index) => {
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of two texts never move.
          if (side === 'left') return <del key={index}>{text}</del>;
          // biome-ignore lint/suspicious/noArrayIndexKey: as above.
          if (side === 'right') return <ins key={index}>{text}</ins>;
          return text;
        })}
      </pre>
    </figure>
  );
}
