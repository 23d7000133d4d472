import type { MeasureComparison } from '@agentclash/api';
import { useState } from 'react';
import { Link } from 'wouter';
import { Button } from '../../design/button.js';
import { Dialog } from '../../design/dialog.js';
import { Toggle } from '../../design/field.js';
import { formatCount, formatScore } from '../../design/format.js';
import { Panel } from '../../design/panel.js';
import css from './compare.module.css';
import { ComparedCase, type ComparedLane } from './compared-case.js';
import { differences, signed } from './measures.js';

const SHOWN_MAX = 400;

export interface DifferenceChartProps {
  title: string;
  measure: MeasureComparison;
  /** The outputs of a case on a side. */
  addressOf: (side: 'baseline' | 'candidate', caseKey: string) => string;
  /** Whose outputs are compared; undefined where a side is of several agents. */
  lanes: { baseline: ComparedLane; candidate: ComparedLane } | undefined;
}

/**
 * The difference of each case that changed as a bar from the middle, the greatest loss first. A case opens the outputs of
 * both sides; its scores lead to the attempts.
 */
export function DifferenceChart({ title, measure, addressOf, lanes }: DifferenceChartProps) {
  const [isAll, setAll] = useState(false);
  const [shown, setShown] = useState<string>();
  const all = differences(measure);
  if (all.length === 0) return null;
  const changed = all.filter(({ difference }) => difference !== 0);
  const unchanged = all.length - changed.length;
  const rows = isAll ? all : changed;
  return (
    <Panel title={`Case by case: ${title}`}>
      {unchanged > 0 && (
        <Toggle
          label={`Show ${formatCount(unchanged)} unchanged ${unchanged === 1 ? 'case' : 'cases'}`}
          checked={isAll}
          onChange={({ target }) => setAll(target.checked)}
        />
      )}
      {rows.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls must be reachable by keyboard.
        <ol className={css.cases} tabIndex={0} aria-label="Differences of cases in overall">
          {rows.slice(0, SHOWN_MAX).map(({ caseKey, baseline, candidate, difference }) => (
            <li key={caseKey} className={css.line}>
              {lanes === undefined ? (
                <span className={css.name}>{caseKey}</span>
              ) : (
                <button type="button" className={css.open} onClick={() => setShown(caseKey)}>
                  {caseKey}
                </button>
              )}
              <svg viewBox="-1 0 2 1" preserveAspectRatio="none" className={css.bar} aria-hidden="true">
                <rect
                  x={Math.min(0, difference)}
                  width={Math.abs(difference)}
                  y={0.15}
                  height={0.7}
                  className={difference < 0 ? css.worse : css.better}
                />
                <line x1={0} x2={0} y1={0} y2={1} className={css.zero} />
              </svg>
              <span className="figures">
                {signed(difference)}{' '}
                <span className={css.sides}>
                  (
                  <Side
                    to={addressOf('baseline', caseKey)}
                    what={`baseline of ${caseKey}`}
                    value={baseline}
                  />
                  {' → '}
                  <Side
                    to={addressOf('candidate', caseKey)}
                    what={`candidate of ${caseKey}`}
                    value={candidate}
                  />
                  )
                </span>
              </span>
            </li>
          ))}
        </ol>
      )}
      {rows.length > SHOWN_MAX && <p>and {formatCount(rows.length - SHOWN_MAX)} more cases</p>}
      {lanes && (
        <Dialog
          title={`Case ${shown}`}
          isOpen={shown !== undefined}
          onClose={() => setShown(undefined)}
          isWide
        >
          {shown !== undefined && <ComparedCase caseKey={shown} {...lanes} />}
          <Button onClick={() => setShown(undefined)}>Close</Button>
        </Dialog>
      )}
    </Panel>
  );
}

function Side({ to, what, value }: { to: string; what: string; value: number }) {
  return (
    <Link to={to}>
      {formatScore(value)}
      <span className="visually-hidden">, {what}</span>
    </Link>
  );
}
