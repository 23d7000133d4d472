import type { Attempt, Run, StoredEvidence } from '@agentclash/contracts';
import type { ScoredAttempt } from '../scoring/local-scoring.js';
import type { AttemptEnd, LocalAttempt } from './attempt-runner.js';

interface AttemptLine {
  attempt: LocalAttempt;
  end: AttemptEnd;
  scored: ScoredAttempt;
  run: Pick<Run, 'id' | 'evaluation_spec_id'>;
}

/** The attempt as readers see it. */
function attemptView({ attempt, end, scored: { score }, run: { id: runId } }: AttemptLine): Attempt {
  const { id, lane, repetition } = attempt;
  const { result, delivery, startedAt, finishedAt } = end;
  const own = attempt.case.case.case;
  const { overall, passed, validity, pack_error } = score;
  return {
    ...{ id, run_id: runId, run_agent_id: lane.id, agent_name: lane.snapshot.name, case_key: own.case_key },
    ...{ challenge_key: own.challenge_key, repetition, state: 'finished', delivery, outcome: result.outcome },
    ...{ limit_kind: result.limit_kind, finished_by: result.finished_by, error: result.error },
    ...{ overall, passed, validity, ...(pack_error && { pack_error }), is_scored: true },
    ...(typeof result.model_call_count === 'number' && { model_call_count: result.model_call_count }),
    tool_call_count: result.tool_call_count,
    ...(result.usage && { usage: { ...result.usage } }),
    cost_usd: result.cost_usd,
    ...(result.cost_at_least_usd !== undefined && { cost_at_least_usd: result.cost_at_least_usd }),
    ...{ latency_ms: result.latency_ms, started_at: startedAt, finished_at: finishedAt, awaits: null },
  };
}

/** The record of an attempt, whose scorecard is JSON already. */
export function attemptLine(line: AttemptLine): string {
  const { attempt, scored, run } = line;
  const { card, view, failure, score } = scored;
  const scorecard = {
    ...{ attempt_id: card.attemptId, state: card.scorecard === null ? 'failed' : 'ready', revision: 1 },
    ...{
      evaluation_spec_id: run.evaluation_spec_id,
      spec_hash: card.specHash,
      evidence_hash: card.evidenceHash,
    },
    ...{ scored_at: score.ended_at, failure },
  };
  const head = JSON.stringify({
    ...{ record: 'attempt', ordinal: attempt.ordinal, attempt: attemptView(line) },
    ...{ final_output: finalOutput(scored.attempt.stored.events), end: view },
  });
  const reply = JSON.stringify(scorecard);
  return `${head.slice(0, -1)},"scorecard":${reply.slice(0, -1)},"scorecard":${card.scorecard ?? 'null'}}}`;
}

function finalOutput(events: StoredEvidence['events']): string | null {
  const last = events.findLast(({ event_type }) => event_type === 'system.output.finalized');
  const { final_output: output } = (last?.payload ?? {}) as { final_output?: unknown };
  return typeof output === 'string' ? output : null;
}
