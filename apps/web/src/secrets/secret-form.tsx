import { ApiError, routes } from '@agentclash/api';
import { type FormEvent, useState } from 'react';
import { useChange } from '../data/use-change.js';
import { Button } from '../design/button.js';
import { Failure } from '../design/failure.js';
import { TextField } from '../design/field.js';
import css from '../design/inline-form.module.css';

/** Takes a value once; it is gone from the page as soon as it is stored. */
export function SecretForm() {
  const [key, setKey] = useState('');
  const [value, setValue] = useState('');
  const [hosts, setHosts] = useState('');
  const [stored, setStored] = useState('');
  const set = useChange(routes.secrets.set, {
    touches: [routes.secrets.list, routes.secrets.audit],
    onSuccess: () => {
      setStored(key);
      setKey('');
      setHosts('');
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const named = hosts.split(/[\s,]+/).filter(Boolean);
    set.mutate({ params: { key }, body: { value, ...(named.length > 0 && { hosts: named }) } });
    // Also when it is refused: whoever tries again has the value, and the page need not.
    setValue('');
  };
  return (
    <form className={css.form} onSubmit={submit}>
      <TextField
        label="Key"
        placeholder="SERVICE_API_KEY"
        autoComplete="off"
        spellCheck={false}
        required
        pattern="[A-Za-z_][A-Za-z0-9_]{0,127}"
        title="letters, digits and _, the first no digit"
        value={key}
        onChange={({ target }) => setKey(target.value)}
      />
      <TextField
        label="Value"
        type="password"
        autoComplete="new-password"
        required
        value={value}
        onChange={({ target }) => setValue(target.value)}
      />
      <TextField
        label="Goes only to (optional)"
        placeholder="api.example.com, *.example.org"
        value={hosts}
        onChange={({ target }) => setHosts(target.value)}
      />
      <Button type="submit" kind="primary" isBusy={set.isPending}>
        Set
      </Button>
      {stored !== '' && !set.isPending && !set.error && (
        <p role="status" className={css.wide}>
          <code>{stored}</code> is set.
        </p>
      )}
      {set.error instanceof ApiError && (
        <div className={css.wide}>
          <Failure error={set.error} />
        </div>
      )}
    </form>
  );
}
