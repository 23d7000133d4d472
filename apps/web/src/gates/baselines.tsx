import { type Baseline, routes } from '@agentclash/api';
import { useState } from 'react';
import { useChange } from '../data/use-change.js';
import { usePages } from '../data/use-pages.js';
import { Button } from '../design/button.js';
import { Confirm } from '../design/dialog.js';
import { NOTHING } from '../design/format.js';
import { PagedTable } from '../design/paged-table.js';
import { Failure } from '../design/states.js';
import type { Column } from '../design/table.js';
import { Ago } from '../design/time.js';
import { RunLink } from '../runs/run-name.js';
import { useMay } from '../session/session.js';

const COLUMNS: readonly Column<Baseline>[] = [
  { key: 'name', title: 'Baseline', cell: ({ name }) => name },
  { key: 'pack', title: 'Pack', cell: ({ pack = NOTHING }) => pack },
  { key: 'set', title: 'Input set', cell: ({ input_set = NOTHING }) => input_set },
  { key: 'run', title: 'Run', cell: ({ run_id }) => <RunLink id={run_id} view="/ranking" /> },
  { key: 'agent', title: 'Agent', cell: ({ agent_name }) => agent_name ?? NOTHING },
  {
    key: 'at',
    title: 'Accepted',
    isMinor: true,
    cell: ({ updated_at, updated_by }) => (
      <>
        <Ago at={updated_at} /> by {updated_by}
      </>
    ),
  },
];

/** The baselines of the workspace. */
export function Baselines() {
  const baselines = usePages(routes.baselines.list, {});
  const mayRemove = useMay('member');
  const [pendingRemoval, setPendingRemoval] = useState<Baseline | null>(null);
  const remove = useChange(routes.baselines.remove, {
    touches: [routes.baselines.list],
    done: 'Baseline removed',
    onSuccess: () => setPendingRemoval(null),
  });
  const actions: Column<Baseline> = {
    key: 'actions',
    title: <span className="visually-hidden">Actions</span>,
    isAction: true,
    cell: (baseline) => (
      <Button
        kind="quiet"
        onClick={() => setPendingRemoval(baseline)}
        aria-label={`Remove ${titleOf(baseline)}`}
      >
        Remove
      </Button>
    ),
  };
  return (
    <>
      <PagedTable
        what="baselines"
        columns={mayRemove ? [...COLUMNS, actions] : COLUMNS}
        keyOf={titleOf}
        of={baselines}
        isStacked
        empty={{
          title: 'No baselines yet',
          children: <p>Open a completed run and accept it on its Gate tab.</p>,
        }}
      />
      <Confirm
        title={`Remove the baseline ${pendingRemoval === null ? '' : titleOf(pendingRemoval)}?`}
        isOpen={pendingRemoval !== null}
        onClose={() => setPendingRemoval(null)}
        action="Remove"
        isBusy={remove.isPending}
        onConfirm={() => pendingRemoval !== null && remove.mutate(removalOf(pendingRemoval))}
      >
        <p>Gates that name it fail until it is set again. Its run is kept.</p>
        {remove.error && <Failure error={remove.error} />}
      </Confirm>
    </>
  );
}

/** Such as `default of sums / main`. */
function titleOf({ name, pack, input_set }: Baseline): string {
  return pack === undefined ? name : `${name} of ${pack} / ${input_set ?? NOTHING}`;
}

function removalOf({ name, pack, input_set }: Baseline) {
  const query = { ...(pack !== undefined && { pack }), ...(input_set !== undefined && { input_set }) };
  return { params: { name }, query };
}
