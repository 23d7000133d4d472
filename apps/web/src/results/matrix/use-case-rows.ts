import { type Run, type RunAgent, routes } from '@agentclash/api';
import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { keyOf } from '../../data/use-read.js';
import { useSession } from '../../session/session.js';
import { type CaseRow, caseRows } from './cells.js';

/** The cases of a run with the scores of its agents, in their order, from the scorecards of the lanes. */
export function useCaseRows(
  agents: readonly RunAgent[],
  status: Run['status'] | undefined,
): { rows: CaseRow[]; error: unknown; isPending: boolean } {
  const { client } = useSession();
  const { scorecards, error, isPending } = useQueries({
    queries: agents.map(({ id }) => {
      const options = { params: { run_agent_id: id } };
      return {
        // The scorecard changes with the status of the run.
        queryKey: [...keyOf(routes.runAgents.scorecard, options), status],
        queryFn: ({ signal }: { signal: AbortSignal }) =>
          client.call(routes.runAgents.scorecard, { ...options, signal }),
        // Rows that are there before the status is known would be gone again with it.
        enabled: status !== undefined,
      };
    }),
    combine: (results) => ({
      scorecards: results.map(({ data }) => data?.scorecard ?? null),
      error: results.find((result) => result.error !== null)?.error,
      isPending: results.some((result) => result.isPending),
    }),
  });
  const rows = useMemo(() => caseRows(scorecards), [scorecards]);
  return { rows, error, isPending };
}
