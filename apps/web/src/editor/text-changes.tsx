import { useEffect, useRef, useState } from 'react';
import { Toggle } from '../design/field.js';
import { formatCount } from '../design/format.js';
import css from './text-changes.module.css';
import { type DiffFigures, TextDiff } from './text-diff.js';

interface TextChangesProps {
  before: string;
  after: string;
  label: string;
}

/** The differences of two texts by lines and words; equal parts are folded. */
export function TextChanges({ before, after, label }: TextChangesProps) {
  const host = useRef<HTMLDivElement>(null);
  const [isWhole, setWhole] = useState(false);
  const [figures, setFigures] = useState<DiffFigures>({ removed: 0, added: 0 });
  const isEqual = before === after;
  useEffect(() => {
    if (host.current === null || isEqual) return;
    const diff = new TextDiff(host.current, { before, after, label, isWhole });
    setFigures(diff.figures);
    return () => diff.close();
  }, [before, after, label, isWhole, isEqual]);
  if (isEqual) return <p role="status">The texts are equal.</p>;
  return (
    <div className={css.changes}>
      <div className={css.head}>
        <p role="status">
          {lines(figures.added)} added, {lines(figures.removed)} removed
        </p>
        <Toggle
          label="Show all lines"
          checked={isWhole}
          onChange={({ target }) => setWhole(target.checked)}
        />
      </div>
      <div ref={host} className={css.host} />
    </div>
  );
}

function lines(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'line' : 'lines'}`;
}
