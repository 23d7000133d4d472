import { type Run, routes } from '@agentclash/api';
import type { RunStatus } from '@agentclash/domain';
import { getRun } from '../../lookup/runs.js';
import type { Session } from '../../session.js';

export async function run(session: Session, { run: reference }: { run: string }): Promise<undefined> {
  const client = await session.client();
  const { id, status } = await getRun(client, reference);
  const cancelled = await client.call(routes.runs.cancel, { params: { run_id: id } });
  session.out.result(cancelled, () => told(id, status, cancelled));
}

function told(id: string, before: RunStatus, { status }: Run): string {
  if (before === 'cancelled') return `${id} is cancelled already`;
  return status === 'cancelled' ? `${id} is cancelled` : `${id} is being cancelled`;
}
