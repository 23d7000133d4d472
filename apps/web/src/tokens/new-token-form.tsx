import { ROLES, type Role, routes } from '@agentclash/api';
import { type FormEvent, useState } from 'react';
import { newIdempotencyKey } from '../data/idempotency-key.js';
import { useChange } from '../data/use-change.js';
import { Button } from '../design/button.js';
import { CodeBlock } from '../design/code-block.js';
import { Failure } from '../design/failure.js';
import { SelectField, TextField } from '../design/field.js';
import css from '../design/inline-form.module.css';

const DAY_MS = 86_400_000;
const ROLE_WORDS: Record<Role, string> = {
  viewer: 'viewer: reads and validates',
  member: 'member: also publishes and runs',
  admin: 'admin: also manages secrets and tokens',
};

/** Creates a token and shows its value once. `params` may name another workspace than that of the session. */
export function NewTokenForm({ params }: { params: { ws?: string } }) {
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const [days, setDays] = useState('');
  const create = useChange(routes.tokens.create, {
    touches: [routes.tokens.list],
    onSuccess: () => setName(''),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const expires =
      days === '' ? {} : { expires_at: new Date(Date.now() + Number(days) * DAY_MS).toISOString() };
    create.mutate({ params, body: { name, role, ...expires }, idempotencyKey: newIdempotencyKey() });
  };
  return (
    <form className={css.form} onSubmit={submit}>
      <TextField
        label="Name"
        placeholder="ci"
        required
        maxLength={128}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <SelectField
        label="Role"
        value={role}
        onChange={({ target }) => setRole(ROLES.find((known) => known === target.value) ?? 'viewer')}
      >
        {ROLES.map((known) => (
          <option key={known} value={known}>
            {ROLE_WORDS[known]}
          </option>
        ))}
      </SelectField>
      <TextField
        label="Expires after days (optional)"
        type="number"
        min={1}
        max={3650}
        value={days}
        onChange={({ target }) => setDays(target.value)}
      />
      <Button type="submit" kind="primary" isBusy={create.isPending}>
        Create
      </Button>
      {create.data && (
        <div className={css.wide} role="status">
          <p>
            Created token <strong>{create.data.name}</strong>. Copy its value now: it is not shown again.
          </p>
          <CodeBlock text={create.data.token} label="the token" />
          <Button onClick={() => create.reset()}>Done</Button>
        </div>
      )}
      {create.error && (
        <div className={css.wide}>
          <Failure error={create.error} />
        </div>
      )}
    </form>
  );
}
