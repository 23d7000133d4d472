import { type Attempt, type Failure, routes } from '@agentclash/api';
import type { Outcome } from '@agentclash/domain';
import { allPages, PAGE_SIZE } from '../../lookup/all-pages.js';
import { missingRankingMessage } from '../../lookup/ranking.js';
import { runSource } from '../../lookup/run-source.js';
import { attemptsOf, getRun } from '../../lookup/runs.js';
import { attemptColumns, NO_ATTEMPTS } from '../../scorecard/attempt-table.js';
import type { Session } from '../../session/session.js';
import { printTable } from '../../terminal/print-table.js';
import { idColumn } from '../../terminal/table.js';

interface Input {
  run: string;
  state?: Attempt['state'];
  outcome?: Outcome;
}

export async function listAttempts(
  session: Session,
  { run: given, state, outcome }: Input,
): Promise<undefined> {
  const { out } = session;
  const { client, reference } = await runSource(session, given);
  const { id } = await getRun(client, reference);
  const items = await attemptsOf(client, id, { state, outcome });
  printTable(out, items, { columns: attemptColumns(items, out.paint), empty: NO_ATTEMPTS });
}

export async function listFailures(session: Session, { run: given }: { run: string }): Promise<undefined> {
  const { out } = session;
  const { client, reference } = await runSource(session, given);
  const found = await getRun(client, reference);
  const params = { run_id: found.id };
  const items: Failure[] = await allPages((cursor) =>
    client.call(routes.runs.failures, { params, query: { limit: PAGE_SIZE, cursor } }),
  );
  const empty = found.status === 'completed' ? 'Every attempt passed.' : missingRankingMessage(found);
  printTable(out, items, {
    columns: [
      { title: 'AGENT', value: ({ agent_name: agent }) => agent, cutTo: 12 },
      { title: 'CASE', value: ({ case_key: key }) => key, cutTo: 14 },
      { title: 'FAILURE', value: ({ code }) => code, cutTo: 16 },
      { title: 'SEVERITY', value: ({ severity }) => severity, leaveOut: 2 },
      { title: 'ATTEMPTS', value: ({ attempts }) => String(attempts), align: 'right', leaveOut: 3 },
      { title: 'RUNS', value: ({ runs }) => String(runs), align: 'right', leaveOut: 1 },
      { title: 'BY', value: ({ failing_keys: keys }) => keys.join(', '), cutTo: 12 },
      idColumn('ATTEMPT', ({ attempt_id: id }) => id),
    ],
    empty,
  });
}
