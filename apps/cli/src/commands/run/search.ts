import { distinctMatches, routes, type TranscriptMatch } from '@agentclash/api';
import { PAGE_SIZE, pagesOf } from '../../lookup/all-pages.js';
import { runSource } from '../../lookup/run-source.js';
import { agentsOf, getRun, laneOf } from '../../lookup/runs.js';
import type { Session } from '../../session/session.js';
import { printTable } from '../../terminal/print-table.js';
import { idColumn } from '../../terminal/table.js';

interface Input {
  run: string;
  text: string;
  agent?: string;
  case?: string;
  limit: number;
}

export async function searchRun(
  session: Session,
  { run: given, text, agent, case: case_key, limit }: Input,
): Promise<undefined> {
  const { out } = session;
  const { client, reference } = await runSource(session, given);
  const { id: run_id } = await getRun(client, reference);
  const lane = agent === undefined ? undefined : laneOf(await agentsOf(client, run_id), agent);
  const query = { q: text, run_agent_id: lane?.id, case_key, limit: Math.min(limit, PAGE_SIZE) };
  let items: TranscriptMatch[] = [];
  let hasMore = false;
  // One more than is shown: the list is cut.
  for await (const page of pagesOf((cursor) =>
    client.call(routes.runs.search, { params: { run_id }, query: { ...query, cursor } }),
  )) {
    items = distinctMatches([...items, ...page]);
    hasMore = items.length > limit;
    if (hasMore) break;
  }
  printTable(out, items.slice(0, limit), {
    columns: [
      { title: 'AGENT', value: ({ agent_name: name }) => name, cutTo: 10 },
      { title: 'CASE', value: ({ case_key: key, repetition }) => `${key} #${repetition}`, cutTo: 12 },
      { title: 'EVENT', value: ({ event_type: type }) => type, cutTo: 14, leaveOut: 1 },
      {
        title: 'NUMBER',
        value: ({ sequence_number: number }) => String(number),
        align: 'right',
        leaveOut: 2,
      },
      { title: 'TEXT', value: excerptOf, cutTo: 24 },
      idColumn('ATTEMPT', ({ attempt_id: attempt }) => attempt),
    ],
    empty: 'No event of the attempts has this text.',
  });
  if (hasMore)
    out.note(
      out.paint.dim('There are more matches: raise --limit, or narrow the search by --agent and --case'),
    );
}

/** Characters before a match. */
const BEFORE_MAX = 24;

/** Around the match, in one line. */
function excerptOf({ before, match, after }: TranscriptMatch): string {
  const start = before.length > BEFORE_MAX ? `…${before.slice(-BEFORE_MAX)}` : before;
  return `${start}${match}${after}`.replaceAll(/\s+/gu, ' ').trim();
}
