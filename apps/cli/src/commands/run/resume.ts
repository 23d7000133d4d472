import { routes } from '@agentclash/api';
import { getRun } from '../../lookup/runs.js';
import type { Session } from '../../session.js';

export async function run(session: Session, { run: reference }: { run: string }): Promise<undefined> {
  const client = await session.client();
  const { id } = await getRun(client, reference);
  const resumed = await client.call(routes.runs.resume, { params: { run_id: id } });
  session.out.result(resumed, () => `${id} goes on`);
}
