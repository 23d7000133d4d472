import type { Run, RunAgent } from '@agentclash/api';
import { useDeferredValue, useMemo } from 'react';
import { Downloads } from '../../design/downloads.js';
import { Filters, SelectField, TextField } from '../../design/field.js';
import { Empty, Failure, Loading } from '../../design/states.js';
import { SavedViews } from '../../navigation/saved-views.js';
import { useFilters } from '../../navigation/use-filters.js';
import { type CaseRow, cellRecords, ORDERS, ordered } from './cells.js';
import { MatrixGrid } from './matrix-grid.js';
import { useCaseRows } from './use-case-rows.js';

const NO_ROWS: readonly CaseRow[] = [];

/** The cases of a run with the scores of every agent, filtered and sorted. */
export function Matrix({ run, agents }: { run: Run; agents: readonly RunAgent[] }) {
  const { rows, error, isPending } = useCaseRows(agents, run.status);
  const [get, set] = useFilters();
  const order = ORDERS.find((known) => known === get('order')) ?? 'case';
  const wanted = get('case');
  const chosen = useMemo(
    () => ordered(rows, order).filter(({ caseKey }) => caseKey.includes(wanted)),
    [rows, order, wanted],
  );
  // Input events come first: rendering hundreds of cells takes longer.
  const shown = useDeferredValue(chosen, NO_ROWS);
  if (error) return <Failure error={error} />;
  if (isPending) return <Loading what="the cases" />;
  if (rows.length === 0) {
    return (
      <Empty title="No results yet">
        <p>
          {run.status === 'cancelled' || run.status === 'failed'
            ? `The run ${run.status === 'failed' ? 'failed' : 'was cancelled'} before it was scored as a whole: single scores are in the arena.`
            : 'The matrix is available after scoring.'}
        </p>
      </Empty>
    );
  }
  return (
    <>
      <Filters onClear={wanted === '' ? undefined : () => set({ case: '' })}>
        <TextField
          label="Case"
          type="search"
          value={wanted}
          onChange={({ target }) => set({ case: target.value })}
        />
        <SelectField label="Sort by" value={order} onChange={({ target }) => set({ order: target.value })}>
          {ORDERS.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </SelectField>
      </Filters>
      <SavedViews list="matrix" />
      {(run.progress.skipped ?? 0) > 0 && (
        <p>The run stopped early: a case has no score where it was skipped, or came after the verdict.</p>
      )}
      <MatrixGrid
        key={`${order} ${wanted}`}
        runId={run.id}
        agents={agents}
        rows={shown}
        order={order}
        filter={wanted}
      />
      {chosen.length > 0 && (
        <Downloads
          isApart
          label="Matrix"
          records={() => ({ items: cellRecords(chosen, agents), isCut: false })}
        />
      )}
    </>
  );
}
