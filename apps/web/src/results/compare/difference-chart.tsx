import type { MeasureComparison } from '@agentclash/api';
import { Panel } from '../../design/panel.js';
import css from './compare.module.css';
import { differences, signed } from './measures.js';

const SHOWN_MAX = 400;

/** The difference of every case as a bar from the middle, the greatest loss first. */
export function DifferenceChart({ title, measure }: { title: string; measure: MeasureComparison }) {
  const all = differences(measure);
  if (all.length === 0) return null;
  return (
    <Panel title={`Case by case: ${title}`}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls must be reachable by keyboard. */}
      <ol className={css.cases} tabIndex={0} aria-label="Differences of cases in overall">
        {all.slice(0, SHOWN_MAX).map(({ caseKey, difference }) => (
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
            <span className="figures">{signed(difference)}</span>
          </li>
        ))}
      </ol>
      {all.length > SHOWN_MAX && <p>and {all.length - SHOWN_MAX} cases more</p>}
    </Panel>
  );
}
