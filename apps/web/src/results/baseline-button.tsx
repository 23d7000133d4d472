import { routes } from '@agentclash/api';
import { type FormEvent, useState } from 'react';
import { useChange } from '../data/use-change.js';
import { Button } from '../design/button.js';
import { Failure } from '../design/failure.js';
import { TextField } from '../design/field.js';
import css from '../design/inline-form.module.css';
import { Panel } from '../design/panel.js';
import { useMay } from '../session/session.js';

interface BaselineButtonProps {
  runId: string;
  /** Name or id of the lane that is accepted; empty for none in particular. */
  agent: string;
}

/** Lets a name stand for a run from now on. */
export function BaselineButton({ runId, agent }: BaselineButtonProps) {
  const [name, setName] = useState('default');
  const set = useChange(routes.baselines.set, {
    touches: [routes.baselines.list, routes.comparisons.compare],
  });
  const maySet = useMay('member');
  if (!maySet) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    set.mutate({ params: { name }, body: { run_id: runId, ...(agent && { agent }) } });
  };
  return (
    <Panel title="Accept as baseline">
      <form className={css.form} onSubmit={submit}>
        <TextField
          label="Name of the baseline"
          hint={`Later runs are measured against ${agent === '' ? 'this run' : `${agent} in this run`}.`}
          required
          pattern="[A-Za-z0-9][A-Za-z0-9._\-]{0,63}"
          title="1 to 64 letters, digits, dots, hyphens and underscores"
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <Button type="submit" isBusy={set.isPending}>
          Accept
        </Button>
        {set.isSuccess && (
          <p role="status" className={css.wide}>
            Baseline {set.data.name} is this run now.
          </p>
        )}
        {set.error && (
          <div className={css.wide}>
            <Failure error={set.error} />
          </div>
        )}
      </form>
    </Panel>
  );
}
