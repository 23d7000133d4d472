import { routes } from '@agentclash/api';
import { getRun } from '../../lookup/runs.js';
import type { Session } from '../../session.js';
import { plural } from '../../terminal/figures.js';

export async function run(session: Session, { run: reference }: { run: string }): Promise<undefined> {
  const client = await session.client();
  const { id } = await getRun(client, reference);
  const paused = await client.call(routes.runs.pause, { params: { run_id: id } });
  const { running, queued } = paused.progress;
  session.out.result(
    paused,
    () => `${id} is paused: ${plural(running, 'attempt')} at work, ${queued} waiting`,
  );
  session.out.note(session.out.paint.dim(`Let it go on: agentclash run resume ${id}`));
}
