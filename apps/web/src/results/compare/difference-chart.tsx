import type { MeasureComparison } from '@agentclash/api';
import { Link } from 'wouter';
import { formatCount, formatScore } from '../../design/format.js';
import { Panel } from '../../design/panel.js';
import css from './compare.module.css';
import { differences, signed } from './measures.js';

const SHOWN_MAX = 400;

interface DifferenceChartProps {
  title: string;
  measure: MeasureComparison;
  /** The outputs of a case on a side. */
  addressOf: (side: 'baseline' | 'candidate', caseKey: string) => string;
}

/** The difference of every case as a bar from the middle, the greatest loss first; its sides open their attempts. */
export function DifferenceChart({ title, measure, addressOf }: DifferenceChartProps) {
  const all = differences(measure);
  if (all.length === 0) return null;
  return (
    <Panel title={`Case by case: ${title}`}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls must be reachable by keyboard. */}
      <ol className={css.cases} tabIndex={0} aria-label="Differences of cases in overall">
        {all.slice(0, SHOWN_MAX).map(({ caseKey, baseline, candidate, difference }) => (
          <li key={caseKey} className={css.line}>
            <span className={css.name}>{caseKey}</span>
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
                <Side to={addressOf('baseline', caseKey)} what={`baseline of ${caseKey}`} value={baseline} />
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
      {all.length > SHOWN_MAX && <p>and {formatCount(all.length - SHOWN_MAX)} more cases</p>}
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
