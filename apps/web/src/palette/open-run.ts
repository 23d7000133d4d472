import { routes } from '@agentclash/api';
import { useMemo } from 'react';
import { useLocation } from 'wouter';
import { useRead } from '../data/use-read.js';
import { caseItem, FOUND_MAX, type PaletteItem } from './palette-items.js';

const RUN = /^\/runs\/([0-9a-f]{8}-[0-9a-f-]{27})(?:\/|$)/;
const ATTEMPT = /^\/attempts\/([0-9a-f]{8}-[0-9a-f-]{27})(?:\/|$)/;
/** The largest page: a case has an attempt for each repetition. */
const READ = 200;

/** The run that is open, on its own pages or on those of its attempts. */
function useOpenRun(): string | undefined {
  const [location] = useLocation();
  const attempt_id = ATTEMPT.exec(location)?.[1] ?? '';
  const attempt = useRead(routes.attempts.get, { params: { attempt_id } }, { enabled: attempt_id !== '' });
  return RUN.exec(location)?.[1] ?? attempt.data?.run_id;
}

/** The cases of the open run whose keys have the text, by the attempts of its first agent; none for no text. */
export function useCases(q: string): { items: PaletteItem[]; isPending: boolean } {
  const run_id = useOpenRun() ?? '';
  const isSearched = run_id !== '' && q !== '';
  const agents = useRead(routes.runs.agents, { params: { run_id } }, { enabled: isSearched });
  const run_agent_id = agents.data?.items[0]?.id ?? '';
  const attempts = useRead(
    routes.runs.attempts,
    { params: { run_id }, query: { run_agent_id, q, limit: READ } },
    { enabled: isSearched && run_agent_id !== '' },
  );
  const items = useMemo(() => {
    const keys = new Set((attempts.data?.items ?? []).map(({ case_key }) => case_key));
    return [...keys].slice(0, FOUND_MAX).map((key) => caseItem(run_id, key));
  }, [attempts.data, run_id]);
  return { items, isPending: attempts.isLoading || agents.isLoading };
}
