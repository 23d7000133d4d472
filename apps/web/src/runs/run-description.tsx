import { type Run, type RunEdit, routes } from '@agentclash/api';
import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { useChange } from '../data/use-change.js';
import { Button } from '../design/button.js';
import { TextArea, TextField } from '../design/field.js';
import { Failure } from '../design/states.js';
import { useMay } from '../session/session.js';
import { labelLines, readLabels } from './label-lines.js';
import css from './run-description.module.css';

/** The note and the labels of a run, and their editing in place. */
export function RunDescription({ run }: { run: Run }) {
  const [isEditing, setEditing] = useState(false);
  const mayEdit = useMay('member');
  if (isEditing) return <EditRun run={run} onClose={() => setEditing(false)} />;
  const labels = Object.entries(run.labels);
  if (run.note === undefined && labels.length === 0 && !mayEdit) return null;
  return (
    <div className={css.description}>
      {run.note !== undefined && <p className={css.note}>{run.note}</p>}
      <div className={css.line}>
        <RunLabels labels={run.labels} />
        {mayEdit && (
          <Button kind="quiet" onClick={() => setEditing(true)}>
            Edit name, note and labels
          </Button>
        )}
      </div>
    </div>
  );
}

/** Labels, each a link to the runs that have it. */
export function RunLabels({ labels }: Pick<Run, 'labels'>) {
  const entries = Object.entries(labels);
  if (entries.length === 0) return null;
  return (
    <ul className={css.labels} aria-label="Labels">
      {entries.map(([key, value]) => (
        <li key={key}>
          <Link className={css.label} to={`/runs?${new URLSearchParams({ label: `${key}=${value}` })}`}>
            {value === '' ? key : `${key}=${value}`}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function EditRun({ run, onClose }: { run: Run; onClose: () => void }) {
  const [name, setName] = useState(run.name ?? '');
  const [note, setNote] = useState(run.note ?? '');
  const [labels, setLabels] = useState(labelLines(run.labels));
  const edit = useChange(routes.runs.edit, {
    touches: [routes.runs.get, routes.runs.list],
    done: 'Run changed',
    onSuccess: onClose,
  });
  const read = readLabels(labels);
  // The form closes when it is saved: what is written in the meantime would be lost.
  const fixed = { readOnly: edit.isPending };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (read.problem !== undefined) return;
    const body = changesOf(run, { name: name.trim(), note: note.trim(), labels: read.labels });
    if (Object.keys(body).length === 0) onClose();
    else edit.mutate({ params: { run_id: run.id }, body });
  };
  return (
    <form className={css.form} aria-label="Name, note and labels" onSubmit={submit}>
      <TextField
        label="Name"
        autoFocus
        {...fixed}
        maxLength={200}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <TextArea
        label="Note"
        rows={3}
        {...fixed}
        maxLength={10_000}
        value={note}
        onChange={({ target }) => setNote(target.value)}
      />
      <TextArea
        label="Labels"
        hint="One key=value a line"
        rows={3}
        {...fixed}
        value={labels}
        {...(read.problem !== undefined && { problem: read.problem })}
        onChange={({ target }) => setLabels(target.value)}
      />
      {edit.error && <Failure error={edit.error} />}
      <div className={css.line}>
        <Button type="submit" kind="primary" isBusy={edit.isPending}>
          Save
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  );
}

interface Description {
  name: string;
  note: string;
  labels: Readonly<Record<string, string>>;
}

/** Only what differs, so that changes of others stay. */
function changesOf(run: Run, { name, note, labels }: Description): RunEdit {
  const removed = Object.keys(run.labels).filter((key) => labels[key] === undefined);
  const changed = Object.entries(labels).filter(([key, value]) => run.labels[key] !== value);
  return {
    ...(name !== (run.name ?? '') && { name: name === '' ? null : name }),
    ...(note !== (run.note ?? '') && { note: note === '' ? null : note }),
    ...(removed.length + changed.length > 0 && {
      labels: { ...Object.fromEntries(removed.map((key) => [key, null])), ...Object.fromEntries(changed) },
    }),
  };
}
