import { routes } from '@agentclash/api';
import { Redirect } from 'wouter';
import { Loaded } from '../../data/loaded.js';
import { useRead } from '../../data/use-read.js';
import type { ScreenProps } from '../../navigation/screen-route.js';
import { useFilters } from '../../navigation/use-filters.js';
import { evidenceAddress } from './cases.js';

/** Leads to what an agent did with a case: to the attempt, or where there are several to their list. */
export default function CaseScreen({ params }: ScreenProps<'runId' | 'runAgentId'>) {
  const { runId, runAgentId } = params;
  const [get] = useFilters();
  const caseKey = get('case');
  const attempts = useRead(routes.runs.attempts, {
    params: { run_id: runId },
    query: { run_agent_id: runAgentId, case_key: caseKey, limit: 2 },
  });
  return (
    <Loaded of={attempts} what="the attempts">
      {({ items }) => <Redirect to={evidenceAddress({ runId, runAgentId, caseKey }, items)} replace />}
    </Loaded>
  );
}
