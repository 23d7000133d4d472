import type { RunAgent } from '@agentclash/api';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useLayoutEffect, useRef } from 'react';
import { Link } from 'wouter';
import { classes } from '../../design/classes.js';
import { formatScore, NOTHING } from '../../design/format.js';
import { LaneMark } from '../../design/lane-mark.js';
import { caseAddress } from '../full-attempt.js';
import { type CaseRow, type Cell, isFlaky, type Order } from './cells.js';
import css from './matrix.module.css';

interface MatrixGridProps {
  runId: string;
  agents: readonly RunAgent[];
  rows: readonly CaseRow[];
  /** The case screen steps through the cases in it. */
  order: Order;
  /** By which its rows were chosen. */
  filter: string;
}

/** How far down the matrix of a run was last read, in which order and of which rows: there it opens again. */
const lastRead = new Map<string, { view: string; top: number }>();

const ROW_PX = 34;

/** The matrix as a virtualized table. */
export const MatrixGrid = memo(function MatrixGrid({ runId, agents, rows, order, filter }: MatrixGridProps) {
  const scroll = useRef<HTMLDivElement>(null);
  const view = `${order} ${filter}`;
  const isRestored = useRef(false);
  useLayoutEffect(() => {
    if (isRestored.current || rows.length === 0 || scroll.current === null) return;
    isRestored.current = true;
    const last = lastRead.get(runId);
    if (last?.view === view) scroll.current.scrollTop = last.top;
  }, [runId, rows.length, view]);
  const remember = () => {
    const top = scroll.current?.scrollTop ?? 0;
    if (isRestored.current) lastRead.set(runId, { view, top });
  };
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  });
  const addressOf = (caseKey: string, view: Readonly<Record<string, string>> = {}) =>
    caseAddress(runId, caseKey, { ...view, ...(order !== 'case' && { order }) });
  const shown = virtual.getVirtualItems();
  const before = shown[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (shown.at(-1)?.end ?? 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls must be reachable by keyboard.
    <section ref={scroll} className={css.scroll} tabIndex={0} aria-label="Case matrix" onScroll={remember}>
      <table className={css.table} aria-rowcount={rows.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">Case</th>
            {agents.map(({ id, name }, index) => (
              <th key={id} scope="col">
                <LaneMark index={index} /> {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Gap height={before} />
          {shown.map(({ index }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <tr key={row.caseKey} aria-rowindex={index + 2} className={css.row}>
                <th scope="row" title={row.caseKey}>
                  <Link to={addressOf(row.caseKey)} className={css.case}>
                    {row.caseKey}
                  </Link>
                </th>
                {row.cells.map((cell, lane) => (
                  <td key={agents[lane]?.id ?? lane}>
                    <CellLink cell={cell} to={addressOf(row.caseKey, { agent: agents[lane]?.id ?? '' })} />
                  </td>
                ))}
              </tr>
            );
          })}
          <Gap height={after} />
        </tbody>
      </table>
    </section>
  );
});

/** Takes the height of the rows that are not rendered. */
function Gap({ height }: { height: number }) {
  return height > 0 ? <tr style={{ height }} /> : null;
}

/** Score and sign: the colour only repeats them. */
function CellLink({ cell, to }: { cell: Cell | null; to: string }) {
  if (cell === null) return <>{NOTHING}</>;
  const { overall, trials, successes } = cell;
  const looks = isFlaky(cell) ? 'flaky' : trials === 0 ? 'open' : successes > 0 ? 'passed' : 'failed';
  return (
    <Link to={to} className={classes(css.link, css[looks])}>
      <span aria-hidden="true">{SIGNS[looks]}</span>
      <span className="figures">{formatScore(overall)}</span>
      {trials > 1 && (
        <span className="figures">
          {successes}/{trials}
        </span>
      )}
      <span className="visually-hidden">{WORDS[looks]}</span>
    </Link>
  );
}

const SIGNS = { passed: '✓', failed: '✗', flaky: '≈', open: '?' } as const;
const WORDS = { passed: 'passed', failed: 'failed', flaky: 'flaky', open: 'no verdict' } as const;
