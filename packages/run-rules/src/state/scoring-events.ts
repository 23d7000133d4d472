import type { AttemptScored, HistoryEvent } from '@agentclash/contracts';
import type { OrchestratorEventPayloads as Payloads } from '@agentclash/domain';
import { v7 as newId } from 'uuid';

/** The delivery that was scored, and how far its history goes. */
export interface ScoredDelivery {
  runId: string;
  runAgentId: string;
  attemptId: string;
  delivery: number;
  caseKey: string;
  repetition: number;
  /** Number of the last event, the executor's and those of earlier scorings. */
  lastSequence: number;
}

type Fact = Pick<HistoryEvent, 'event_type' | 'occurred_at' | 'payload'>;

/**
 * A scoring as the attempt's history records it, numbered on from the last event: what the executor recorded stays as
 * it is, and each scoring again adds its own. `now` replaces times that an older service does not send.
 */
export function eventsOfScoring(
  scoredDelivery: ScoredDelivery,
  scored: AttemptScored,
  now: Date,
): HistoryEvent[] {
  const { runId, runAgentId, attemptId, delivery, caseKey, repetition, lastSequence } = scoredDelivery;
  return factsOf(scored, now.toISOString()).map((fact, index) => ({
    event_id: newId(),
    schema_version: '1',
    run_id: runId,
    run_agent_id: runAgentId,
    attempt_id: attemptId,
    delivery,
    case_key: caseKey,
    repetition,
    sequence_number: lastSequence + index + 1,
    source: 'worker_scoring',
    summary: {},
    ...fact,
  }));
}

function factsOf({ revision, metrics = [], failure, ...scored }: AttemptScored, now: string): Fact[] {
  const { overall, passed, validity, started_at = now, ended_at: occurred_at = now } = scored;
  return [
    {
      event_type: 'scoring.started',
      occurred_at: started_at,
      payload: { revision } satisfies Payloads['scoring.started'],
    },
    ...metrics.map((metric) => ({
      event_type: 'scoring.metric.recorded',
      occurred_at,
      payload: { ...metric } satisfies Payloads['scoring.metric.recorded'],
    })),
    failure
      ? {
          event_type: 'scoring.failed',
          occurred_at,
          payload: { ...failure } satisfies Payloads['scoring.failed'],
        }
      : {
          event_type: 'scoring.completed',
          occurred_at,
          payload: { overall, passed, validity } satisfies Payloads['scoring.completed'],
        },
  ];
}
