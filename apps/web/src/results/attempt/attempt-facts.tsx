import { Link } from 'wouter';
import { Badge } from '../../design/badge.js';
import { formatCost, formatCount, formatDuration, formatScore } from '../../design/format.js';
import { RunLink } from '../../runs/run-name.js';
import { caseAddress, type FullAttempt } from '../full-attempt.js';
import { VerdictBadge, verdictOf } from '../verdict.js';

/** The result of an attempt, its figures, and where it belongs. */
export function AttemptFacts({ attempt }: { attempt: FullAttempt }) {
  const verdict = verdictOf(attempt);
  const { run_id, run_agent_id, repetition, outcome, limit_kind, state, delivery, error, pack_error } =
    attempt;
  return (
    <>
      <VerdictBadge verdict={verdict} />
      {verdict !== 'not graded' && <span className="figures">overall {formatScore(attempt.overall)}</span>}
      <span>
        {outcome ?? state}
        {limit_kind !== null && ` (${limit_kind})`}
      </span>
      <span className="figures">{formatDuration(attempt.latency_ms)}</span>
      {attempt.cost_usd != null && <span className="figures">{formatCost(attempt.cost_usd)}</span>}
      {attempt.imported && <Badge tone="warn">imported</Badge>}
      {attempt.model_call_count !== undefined && <span>{callCounts(attempt)}</span>}
      {attempt.served_calls !== undefined && (
        <span>
          <Badge tone="warn">served</Badge> {attempt.served_calls} model replies without a call
        </span>
      )}
      {attempt.challenge_key !== undefined && <span>challenge {attempt.challenge_key}</span>}
      {repetition > 1 && <span>repetition {repetition}</span>}
      {delivery > 1 && <span>delivery {delivery}</span>}
      <Link to={caseAddress(run_id, attempt.case_key)}>case {attempt.case_key}</Link>
      <RunLink id={run_id} view="/matrix" />
      <Link to={`/runs/${run_id}/agents/${run_agent_id}`}>{attempt.agent_name}</Link>
      {error !== null && <span>{error.code}</span>}
      {pack_error !== undefined && (
        <span>
          <Badge tone="bad">pack error</Badge> {pack_error.message}
        </span>
      )}
    </>
  );
}

/** A program's own tools are not counted. */
function callCounts({ model_call_count = 0, tool_call_count, imported }: FullAttempt): string {
  const models = `${formatCount(model_call_count)} model ${model_call_count === 1 ? 'call' : 'calls'}`;
  if (tool_call_count === null) return models;
  return `${models}, ${formatCount(tool_call_count)} tool ${tool_call_count === 1 ? 'call' : 'calls'}${imported ? '' : ' through the platform'}`;
}
