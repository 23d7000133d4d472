import { type LaneComparison, missingAttemptsLines, type RunComparison } from '@agentclash/api';
import { Link } from 'wouter';
import { Empty } from '../../design/empty.js';
import { reasonText } from '../reasons.js';
import { LaneMeasures } from './lane-measures.js';

/** Every pair of lanes that was compared, or why it cannot be. */
export function ComparedLanes({ compared }: { compared: RunComparison }) {
  return (
    <>
      {compared.comparisons.map((lane) => (
        <Lane
          key={`${lane.baseline_run_agent_id} ${lane.candidate_run_agent_id}`}
          compared={compared}
          lane={lane}
        />
      ))}
    </>
  );
}

function Lane({ compared, lane }: { compared: RunComparison; lane: LaneComparison }) {
  const title = `${nameOf(compared.candidate, lane.candidate_run_agent_id)} against ${nameOf(
    compared.baseline,
    lane.baseline_run_agent_id,
  )}`;
  if (lane.comparable) return <LaneMeasures title={title} lane={lane} compared={compared} />;
  return (
    <Empty title={`${title}: not comparable`}>
      {lane.reasons.map((reason) => (
        <p key={reason}>{reasonText(reason)}</p>
      ))}
      {missingAttemptsLines(lane).map((line) => (
        <p key={line}>{line}</p>
      ))}
      <p>
        <Link to={`/runs/${compared.candidate.run_id}/ranking`}>Candidate</Link>
        {' · '}
        <Link to={`/runs/${compared.baseline.run_id}/ranking`}>Baseline</Link>
      </p>
    </Empty>
  );
}

function nameOf({ agents }: RunComparison['baseline'], id: string | null): string {
  return agents.find(({ run_agent_id }) => run_agent_id === id)?.name ?? 'several agents';
}
