import { type Run, routes } from '@agentclash/api';
import { hasRunEnded } from '@agentclash/domain';
import { useRead } from '../data/use-read.js';

const REFRESH_MS = 2_000;
/** Slower for an ended run, whose attempts may still be retried. */
const OVER_REFRESH_MS = 15_000;

/** A run, kept up to date. */
export function useRun(runId: string) {
  return useRead(
    routes.runs.get,
    { params: { run_id: runId } },
    {
      refetchInterval: (run: Run | undefined) =>
        run !== undefined && hasRunEnded(run.status) ? OVER_REFRESH_MS : REFRESH_MS,
    },
  );
}
