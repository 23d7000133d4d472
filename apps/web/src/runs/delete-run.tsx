import { type Run, routes } from '@agentclash/api';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useChange } from '../data/use-change.js';
import { Button } from '../design/button.js';
import { Confirm } from '../design/dialog.js';
import { Failure } from '../design/failure.js';
import { useMay } from '../session/session.js';
import { runName } from './run-name.js';

/** Deletes a run that has ended, and leads back to the list. */
export function DeleteRun({ run }: { run: Run }) {
  const mayDelete = useMay('admin');
  const [, navigate] = useLocation();
  const [isConfirming, setConfirming] = useState(false);
  // The screen of the run is closed before its data is refreshed.
  const remove = useChange(routes.runs.remove, {
    touches: [routes.runs.list],
    onSuccess: () => navigate('/runs'),
  });
  if (!mayDelete || run.finished_at === null) return null;
  return (
    <>
      <Button kind="danger" isBusy={remove.isPending} onClick={() => setConfirming(true)}>
        Delete
      </Button>
      <Confirm
        title={`Delete ${runName(run.id, run.name)}?`}
        isOpen={isConfirming}
        onClose={() => setConfirming(false)}
        action="Delete"
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate({ params: { run_id: run.id } })}
      >
        <p>Its attempts, events, stored workspaces and scorecards are removed. This cannot be undone.</p>
        {remove.error && <Failure error={remove.error} />}
      </Confirm>
    </>
  );
}
