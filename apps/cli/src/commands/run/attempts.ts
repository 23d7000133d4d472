import type { Attempt } from '@agentclash/api';
import type { Outcome } from '@agentclash/domain';
import { attemptsOf, getRun } from '../../lookup/runs.js';
import { attemptTable } from '../../scorecard/attempt-table.js';
import type { Session } from '../../session.js';

interface Input {
  run: string;
  state?: Attempt['state'];
  outcome?: Outcome;
}

export async function run(session: Session, { run: reference, state, outcome }: Input): Promise<undefined> {
  const { out } = session;
  const client = await session.client();
  const { id } = await getRun(client, reference);
  const items = await attemptsOf(client, id, { state, outcome });
  out.result({ items }, () => attemptTable(items, out));
}
