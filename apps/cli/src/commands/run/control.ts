import { type Run, routes, runArgument, runHandle } from '@agentclash/api';
import type { RunStatus } from '@agentclash/domain';
import { getRun } from '../../lookup/runs.js';
import { isConfirmed } from '../../session/confirmed.js';
import type { Session } from '../../session/session.js';
import { plural } from '../../terminal/figures.js';

export async function pauseRun(session: Session, { run: reference }: { run: string }): Promise<undefined> {
  const client = await session.client();
  const run = await getRun(client, reference);
  const paused = await client.call(routes.runs.pause, { params: { run_id: run.id } });
  const { running, queued } = paused.progress;
  session.out.result(
    paused,
    () => `Run ${runHandle(run)} is paused: ${plural(running, 'attempt')} at work, ${queued} waiting`,
  );
  session.out.note(session.out.paint.dim(`Resume it: agentclash run resume ${runArgument(run)}`));
}

export async function resumeRun(session: Session, { run: reference }: { run: string }): Promise<undefined> {
  const client = await session.client();
  const run = await getRun(client, reference);
  const resumed = await client.call(routes.runs.resume, { params: { run_id: run.id } });
  session.out.result(resumed, () => `Run ${runHandle(run)} resumed`);
}

export async function cancelRun(session: Session, { run: reference }: { run: string }): Promise<undefined> {
  const client = await session.client();
  const { id, status } = await getRun(client, reference);
  const cancelled = await client.call(routes.runs.cancel, { params: { run_id: id } });
  session.out.result(cancelled, () => cancellation(status, cancelled));
}

function cancellation(before: RunStatus, run: Run): string {
  const handle = `Run ${runHandle(run)}`;
  if (before === 'cancelled') return `${handle} is cancelled already`;
  return run.status === 'cancelled' ? `${handle} is cancelled` : `${handle} is being cancelled`;
}

export async function deleteRun(
  session: Session,
  { run: reference, yes }: { run: string; yes?: boolean },
): Promise<undefined> {
  const { out } = session;
  const client = await session.client();
  const run = await getRun(client, reference);
  const { id, name } = run;
  const handle = runHandle(run);
  const named = name === null ? handle : `${handle} (${name})`;
  const confirmed = await isConfirmed(session, {
    yes,
    warning: `Deleting the run ${named} cannot be undone`,
    question: `Delete the run ${named} with its evidence and scorecards?`,
    hint: `agentclash run delete ${runArgument(run)} --yes`,
  });
  if (!confirmed) {
    out.result({ id, deleted: false }, () => `Run ${handle} is kept`);
    return;
  }
  await client.call(routes.runs.remove, { params: { run_id: id } });
  out.result({ id, deleted: true }, () => `Run ${handle} is deleted`);
}
