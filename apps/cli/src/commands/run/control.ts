import { type Run, routes } from '@agentclash/api';
import type { RunStatus } from '@agentclash/domain';
import { getRun } from '../../lookup/runs.js';
import { isConfirmed } from '../../session/confirmed.js';
import type { Session } from '../../session/session.js';
import { plural } from '../../terminal/figures.js';

export async function pauseRun(session: Session, { run: reference }: { run: string }): Promise<undefined> {
  const client = await session.client();
  const { id } = await getRun(client, reference);
  const paused = await client.call(routes.runs.pause, { params: { run_id: id } });
  const { running, queued } = paused.progress;
  session.out.result(
    paused,
    () => `${id} is paused: ${plural(running, 'attempt')} at work, ${queued} waiting`,
  );
  session.out.note(session.out.paint.dim(`Resume it: agentclash run resume ${id}`));
}

export async function resumeRun(session: Session, { run: reference }: { run: string }): Promise<undefined> {
  const client = await session.client();
  const { id } = await getRun(client, reference);
  const resumed = await client.call(routes.runs.resume, { params: { run_id: id } });
  session.out.result(resumed, () => `${id} resumed`);
}

export async function cancelRun(session: Session, { run: reference }: { run: string }): Promise<undefined> {
  const client = await session.client();
  const { id, status } = await getRun(client, reference);
  const cancelled = await client.call(routes.runs.cancel, { params: { run_id: id } });
  session.out.result(cancelled, () => cancellation(id, status, cancelled));
}

function cancellation(id: string, before: RunStatus, { status }: Run): string {
  if (before === 'cancelled') return `${id} is cancelled already`;
  return status === 'cancelled' ? `${id} is cancelled` : `${id} is being cancelled`;
}

export async function deleteRun(
  session: Session,
  { run: reference, yes }: { run: string; yes?: boolean },
): Promise<undefined> {
  const { out } = session;
  const client = await session.client();
  const { id, name } = await getRun(client, reference);
  const named = name === null ? id : `${id} (${name})`;
  const confirmed = await isConfirmed(session, {
    yes,
    warning: `Deleting the run ${named} cannot be undone`,
    question: `Delete the run ${named} with its evidence and scorecards?`,
    hint: `agentclash run delete ${id} --yes`,
  });
  if (!confirmed) {
    out.result({ id, deleted: false }, () => `${id} is kept`);
    return;
  }
  await client.call(routes.runs.remove, { params: { run_id: id } });
  out.result({ id, deleted: true }, () => `${id} is deleted`);
}
