import { type RunEdit, routes, runTitle } from '@agentclash/api';
import { CommandError } from '../../command-error.js';
import { getRun } from '../../lookup/runs.js';
import type { Session } from '../../session/session.js';
import { oneLine } from '../../terminal/printable.js';

interface Input {
  run: string;
  name?: string;
  note?: string;
  label?: Record<string, string>;
  removeLabel?: string[];
}

/** Changes the name, the note and labels of a run; an empty text removes the name or the note. */
export async function editRun(session: Session, { run: reference, ...input }: Input): Promise<undefined> {
  const edit = editOf(input);
  if (Object.keys(edit).length === 0) {
    throw new CommandError('usage', 'Nothing to change is named', {
      hint: 'Use --name, --note, --label or --remove-label.',
    });
  }
  const client = await session.client();
  const { id: run_id } = await getRun(client, reference);
  const run = await client.call(routes.runs.edit, { params: { run_id }, body: edit });
  session.out.result(run, () => {
    const labels = Object.entries(run.labels).map(([key, value]) => `${key}=${value}`);
    return oneLine([runTitle(run), ...labels, ...(run.note === undefined ? [] : [run.note])].join('  '));
  });
}

function editOf({ name, note, label, removeLabel }: Omit<Input, 'run'>): RunEdit {
  const removed = Object.fromEntries((removeLabel ?? []).map((key) => [key, null]));
  return {
    ...(name !== undefined && { name: name.trim() === '' ? null : name }),
    ...(note !== undefined && { note: note.trim() === '' ? null : note }),
    ...((label || removeLabel) && { labels: { ...removed, ...label } }),
  };
}
