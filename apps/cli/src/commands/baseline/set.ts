import { routes } from '@agentclash/api';
import { getRun } from '../../lookup/runs.js';
import type { Session } from '../../session.js';
import { baselineLine } from './baseline-line.js';

interface Input {
  run: string;
  name: string;
  agent?: string;
}

export async function run(session: Session, { run: reference, name, agent }: Input): Promise<undefined> {
  const client = await session.client();
  const { id: run_id } = await getRun(client, reference);
  const body = { run_id, ...(agent !== undefined && { agent }) };
  const baseline = await client.call(routes.baselines.set, { params: { name }, body });
  const { replaced_run_id: replaced } = baseline;
  const before = typeof replaced === 'string' && replaced !== run_id ? `, no longer run ${replaced}` : '';
  session.out.result(baseline, () => `${baselineLine(baseline)}${before}`);
}
