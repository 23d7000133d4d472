import { packErrorLines, type Run } from '@agentclash/api';
import { Badge } from '../design/badge.js';
import css from './run-frame.module.css';

/** Errors of the pack that prevent grading; shown on every screen of the run. */
export function PackErrors({ run }: { run: Run }) {
  const lines = packErrorLines(run);
  if (lines.length === 0) return null;
  return (
    <div role="alert" className={css.error}>
      <Badge tone="bad">pack error</Badge>
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  );
}
