import { costText, knownCost, type Run, repeatRequest, routes, runHandle, runTitle } from '@agentclash/api';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { newIdempotencyKey } from '../data/idempotency-key.js';
import { Loaded } from '../data/loaded.js';
import { useIsShown } from '../data/use-is-shown.js';
import { useMutationOnce } from '../data/use-mutation-once.js';
import { useRead } from '../data/use-read.js';
import { useRenewal } from '../data/use-renewal.js';
import { Button } from '../design/button.js';
import { Confirm } from '../design/dialog.js';
import { formatCost, formatCount } from '../design/format.js';
import { Failure } from '../design/states.js';
import { showToast } from '../design/toasts.js';
import { useMay, useSession } from '../session/session.js';
import { costOfRun } from './run-totals.js';

/** Starts a run of the same version, input set, deployments and settings after a confirmation, and opens it. */
export function RunAgain({ run }: { run: Run }) {
  const { client } = useSession();
  const mayStart = useMay('member');
  const [, navigate] = useLocation();
  const [isConfirming, setConfirming] = useState(false);
  const isShown = useIsShown();
  const renew = useRenewal([routes.runs.list]);
  const again = useMutationOnce({
    mutationFn: async (idempotencyKey: string) => {
      const { items } = await client.call(routes.runs.agents, { params: { run_id: run.id } });
      return await client.call(routes.runs.create, { idempotencyKey, body: repeatRequest(run, items) });
    },
    onSuccess: (started) => {
      showToast(`${runTitle(started)} started`);
      if (isShown()) navigate(`/runs/${started.id}`);
      return renew();
    },
  });
  // Attempts of an imported run were run elsewhere.
  if (!mayStart || run.imported !== undefined) return null;
  return (
    <>
      <Button isBusy={again.isPending} onClick={() => setConfirming(true)}>
        Run again
      </Button>
      <Confirm
        title={`Run ${runHandle(run)} again?`}
        isOpen={isConfirming}
        onClose={() => setConfirming(false)}
        action="Run again"
        kind="primary"
        isBusy={again.isPending}
        onConfirm={() => again.mutate(newIdempotencyKey())}
      >
        <Repetition run={run} />
        {again.error && <Failure error={again.error} />}
      </Confirm>
    </>
  );
}

const AGENTS_NAMED = 10;

/** The size of the new run, the cost of the earlier one, and the form for another. */
function Repetition({ run }: { run: Run }) {
  const agents = useRead(routes.runs.agents, { params: { run_id: run.id } });
  const attempts = run.progress.total;
  const most = run.stop_when === undefined ? '' : 'at most ';
  return (
    <>
      <p>
        The new run has {most}
        {formatCount(attempts)} {attempts === 1 ? 'attempt' : 'attempts'}, with the settings of this run and
        the deployments as they are now.
      </p>
      <Loaded of={agents} what="the agents">
        {({ items }) => (
          <p>
            {items.length === 1 ? 'Agent' : `${items.length} agents`}: {namesOf(items)}. This run cost:{' '}
            {costText(knownCost(costOfRun({ agents: items.map(({ tally = {} }) => tally) })), formatCost)}.
          </p>
        )}
      </Loaded>
      <p>
        <Link to={`/runs/new?like=${run.id}`}>Open the start form instead</Link>: it begins with the version,
        cases, agents and repetitions of this run.
      </p>
    </>
  );
}

function namesOf(agents: readonly { name: string }[]): string {
  const names = agents.slice(0, AGENTS_NAMED).map(({ name }) => name);
  const more = agents.length - names.length;
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
}
