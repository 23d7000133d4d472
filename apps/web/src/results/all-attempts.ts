import { type Attempt, type Client, routes } from '@agentclash/api';
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../session/session.js';

const PAGE = 200;

interface AttemptsQuery {
  runId: string;
  runAgentId?: string;
  enabled?: boolean;
}

/** All attempts of a run, or of one of its lanes, page after page. */
export function useAllAttempts({ runId, runAgentId, enabled = true }: AttemptsQuery) {
  const { client } = useSession();
  return useQuery({
    queryKey: [routes.runs.attempts.path, { run_id: runId }, { run_agent_id: runAgentId }, 'all'],
    queryFn: ({ signal }) => allAttempts(client, { runId, signal, ...(runAgentId && { runAgentId }) }),
    enabled,
  });
}

async function allAttempts(
  client: Client,
  { runId, runAgentId, signal }: Omit<AttemptsQuery, 'enabled'> & { signal: AbortSignal },
): Promise<Attempt[]> {
  const attempts: Attempt[] = [];
  let cursor: string | null = null;
  do {
    const page: { items: Attempt[]; next_cursor: string | null } = await client.call(routes.runs.attempts, {
      params: { run_id: runId },
      query: {
        limit: PAGE,
        ...(runAgentId && { run_agent_id: runAgentId }),
        ...(cursor !== null && { cursor }),
      },
      signal,
    });
    attempts.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return attempts;
}
