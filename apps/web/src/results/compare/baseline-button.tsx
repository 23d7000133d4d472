import { routes } from '@agentclash/api';
import { type FormEvent, useState } from 'react';
import { useChange } from '../../data/use-change.js';
import { Button } from '../../design/button.js';
import { Failure } from '../../design/failure.js';
import { TextField } from '../../design/field.js';
import css from '../../design/inline-form.module.css';
import { Panel } from '../../design/panel.js';
import { useMay } from '../../session/session.js';

/** Lets a name stand for the candidate from now on. */
export function BaselineButton({ runId, agent }: { runId: string; agent: string }) {
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
    <Panel title="Accept the candidate">
      <form className={css.form} onSubmit={submit}>
        <TextField
          label="As the baseline named"
          required
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <Button type="submit" isBusy={set.isPending}>
          Accept
        </Button>
        {set.isSuccess && <p role="status">Baseline {set.data.name} is this run now.</p>}
      </form>
      {set.error && <Failure error={set.error} />}
    </Panel>
  );
}
