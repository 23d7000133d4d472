import { Redirect } from 'wouter';
import type { ScreenProps } from '../../navigation/screen-route.js';
import { useFilters } from '../../navigation/use-filters.js';
import { caseAddress } from '../full-attempt.js';

/** The earlier address of what an agent did with a case. */
export default function CaseRedirect({ params }: ScreenProps<'runId' | 'runAgentId'>) {
  const [get] = useFilters();
  return <Redirect to={caseAddress(params.runId, get('case'), { agent: params.runAgentId })} replace />;
}
