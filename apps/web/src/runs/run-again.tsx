import { type Run, repeatRequest, routes, runTitle } from '@agentclash/api';
import { useLocation } from 'wouter';
import { newIdempotencyKey } from '../data/idempotency-key.js';
import { useMutationOnce } from '../data/use-mutation-once.js';
import { Button } from '../design/button.js';
import { Failure } from '../design/states.js';
import { showToast } from '../design/toasts.js';
import { useMay, useSession } from '../session/session.js';

/** Starts a run of the same version, input set, deployments and settings, and opens it. */
export function RunAgain({ run }: { run: Run }) {
  const { client } = useSession();
  const mayStart = useMay('member');
  const [, navigate] = useLocation();
  const again = useMutationOnce({
    mutationFn: async (idempotencyKey: string) => {
      const { items } = await client.call(routes.runs.agents, { params: { run_id: run.id } });
      return await client.call(routes.runs.create, { idempotencyKey, body: repeatRequest(run, items) });
    },
    onSuccess: (started) => {
      showToast(`${runTitle(started)} started`);
      navigate(`/runs/${started.id}`);
    },
  });
  // Attempts of an imported run were run elsewhere.
  if (!mayStart || run.imported !== undefined) return null;
  return (
    <>
      <Button isBusy={again.isPending} onClick={() => again.mutate(newIdempotencyKey())}>
        Run again
      </Button>
      {again.error && <Failure error={again.error} />}
    </>
  );
}
