import { type Baseline, type Run, routes, servedRepliesLine } from '@agentclash/api';
import { type FormEvent, useState } from 'react';
import { useAll } from '../data/use-all.js';
import { useChange } from '../data/use-change.js';
import { Button } from '../design/button.js';
import { Confirm } from '../design/dialog.js';
import { TextField } from '../design/field.js';
import css from '../design/inline-form.module.css';
import { Panel } from '../design/panel.js';
import { Failure } from '../design/states.js';
import { Ago } from '../design/time.js';
import { RunLink } from '../runs/run-name.js';
import { useMay } from '../session/session.js';

interface BaselineButtonProps {
  run: Pick<Run, 'id' | 'pack' | 'input_set' | 'model_calls' | 'imported'>;
  /** Name or id of the accepted lane; empty for the whole run. */
  agent: string;
}

/** Sets a baseline to a run, and confirms before it replaces another run. */
export function BaselineButton(props: BaselineButtonProps) {
  const mayAccept = useMay('member');
  if (!mayAccept) return null;
  // Its scores are no new evidence, and the server refuses it.
  if (props.run.imported === undefined && servedRepliesLine(props.run) !== undefined) {
    return (
      <Panel title="Accept as baseline">
        <p>A run whose models were served kept replies cannot be a baseline.</p>
      </Panel>
    );
  }
  return <AcceptForm {...props} />;
}

function AcceptForm({ run, agent }: BaselineButtonProps) {
  const [name, setName] = useState('default');
  const [replaced, setReplaced] = useState<Baseline | null>(null);
  const query = { pack: run.pack.slug, input_set: run.input_set.key };
  const known = useAll(routes.baselines.list, { query });
  const set = useChange(routes.baselines.set, {
    touches: [routes.baselines.list, routes.comparisons.compare],
    done: 'Baseline set',
    onSuccess: () => setReplaced(null),
  });
  /** `replaces` keeps the server from replacing any run but the one that was shown. */
  const accept = (replaces: string | null) =>
    set.mutate(
      { params: { name }, body: { run_id: run.id, ...(agent && { agent }), replaces } },
      { onError: () => void known.refetch() },
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const current = known.data?.find((baseline) => baseline.name === name);
    if (current === undefined || current.run_id === run.id) accept(current?.run_id ?? null);
    else setReplaced(current);
  };
  const scope = `${run.pack.slug} / ${run.input_set.key}`;
  return (
    <Panel title="Accept as baseline">
      <form className={css.form} onSubmit={submit}>
        <TextField
          label="Name of the baseline"
          hint={`Later runs of ${scope} are compared with ${agent === '' ? 'this run' : `${agent} in this run`}.`}
          required
          pattern="[A-Za-z0-9][A-Za-z0-9._\-]{0,63}"
          title="1 to 64 letters, digits, dots, hyphens and underscores"
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <Button type="submit" isBusy={set.isPending || known.isPending}>
          Accept
        </Button>
        {set.isSuccess && (
          <p role="status" className={css.wide}>
            Baseline {set.data.name} set to this run.
          </p>
        )}
        {(set.error ?? known.error) && replaced === null && (
          <div className={css.wide}>
            <Failure error={set.error ?? known.error} />
          </div>
        )}
      </form>
      <Confirm
        title={`Replace the baseline ${name} of ${scope}?`}
        isOpen={replaced !== null}
        onClose={() => setReplaced(null)}
        action="Replace"
        isBusy={set.isPending}
        onConfirm={() => replaced !== null && accept(replaced.run_id)}
      >
        {replaced !== null && (
          <p>
            It is now <RunLink id={replaced.run_id} view="/ranking" />, accepted{' '}
            <Ago at={replaced.updated_at} /> by {replaced.updated_by}. This run replaces it.
          </p>
        )}
        {set.error && <Failure error={set.error} />}
      </Confirm>
    </Panel>
  );
}
