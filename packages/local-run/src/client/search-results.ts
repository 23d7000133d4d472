import type { TranscriptMatch } from '@agentclash/contracts';
import { findText, REPEATED_EVENTS } from '@agentclash/domain';
import type { ResultsFile } from '../results/results-file.js';

interface Search {
  q?: unknown;
  run_agent_id?: unknown;
  case_key?: unknown;
  limit?: unknown;
  cursor?: unknown;
}

const PAGE_SIZE = 50;

/** A page of the events in a file of results that have a text; the cursor is a number of events. */
export async function searchResults(
  results: ResultsFile,
  { q = '', run_agent_id, case_key, limit = PAGE_SIZE, cursor = '0' }: Search = {},
) {
  const names = new Map(results.start.agents.map(({ id, name }) => [id, name]));
  const items: TranscriptMatch[] = [];
  let position = 0;
  for await (const event of results.allEvents()) {
    if (items.length === Number(limit))
      return { items, next_cursor: String(position), searched: position, events: position };
    position += 1;
    if (position <= Number(cursor) || REPEATED_EVENTS.includes(event.event_type)) continue;
    const { attempt_id, delivery } = event;
    const attempt = attempt_id === undefined ? undefined : results.find(attempt_id);
    if (attempt_id === undefined || delivery === undefined || attempt === undefined) continue;
    const { runAgentId, caseKey } = attempt;
    if ((run_agent_id ?? runAgentId) !== runAgentId || (case_key ?? caseKey) !== caseKey) continue;
    const found = findText(event.payload, String(q));
    if (found === undefined || (await results.attempt(attempt)).attempt.delivery !== delivery) continue;
    items.push({
      ...{ attempt_id, run_agent_id: runAgentId, agent_name: names.get(runAgentId) ?? runAgentId },
      ...{ case_key: caseKey, repetition: event.repetition ?? 1, delivery },
      ...{
        sequence_number: event.sequence_number,
        event_type: event.event_type,
        occurred_at: event.occurred_at,
      },
      ...found,
    });
  }
  return { items, next_cursor: null, searched: position, events: position };
}
