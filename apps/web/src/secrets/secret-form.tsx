import { ApiError, routes } from '@agentclash/api';
import { type FormEvent, useState } from 'react';
import { useChange } from '../data/use-change.js';
import { Button } from '../design/button.js';
import { Failure } from '../design/failure.js';
import { TextField } from '../design/field.js';
import css from '../design/inline-form.module.css';
import { hostsOf, hostsText, type KnownSecret, replacedBy } from './secret-draft.js';

interface SecretFormProps {
  /** The secrets that there are; undefined until that is known, and till then nothing can be set. */
  known: readonly KnownSecret[] | undefined;
  /** The key of one whose value is to be replaced. */
  replaced: string | undefined;
}

/** Takes a value once; it is gone from the page as soon as it is stored. */
export function SecretForm({ known, replaced }: SecretFormProps) {
  const [key, setKey] = useState(replaced ?? '');
  const [value, setValue] = useState('');
  const [hosts, setHosts] = useState<string | null>(null);
  const [stored, setStored] = useState('');
  const set = useChange(routes.secrets.set, {
    touches: [routes.secrets.list, routes.secrets.audit],
    onSuccess: () => {
      setStored(key);
      setKey('');
      setHosts(null);
    },
  });
  const draft = { key, hosts };
  const old = set.isPending ? undefined : replacedBy(draft, known ?? []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (known === undefined) return;
    const named = hostsOf(draft, known);
    set.mutate({ params: { key }, body: { value, ...(named.length > 0 && { hosts: named }) } });
    // Also when it is refused: whoever tries again has the value, and the page need not.
    setValue('');
  };
  return (
    <form className={css.form} onSubmit={submit}>
      <TextField
        label="Key"
        hint={old && <Replacing {...old} />}
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
        autoFocus={replaced !== undefined}
        value={value}
        onChange={({ target }) => setValue(target.value)}
      />
      <TextField
        label="Goes only to (optional)"
        placeholder="api.example.com, *.example.org"
        value={hostsText(draft, known ?? [])}
        onChange={({ target }) => setHosts(target.value)}
      />
      <Button type="submit" kind="primary" isBusy={set.isPending} disabled={known === undefined}>
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

/** What becomes of the secret that has this key. */
function Replacing({ hosts }: KnownSecret) {
  if (hosts.length === 0)
    return <>This replaces the value of a secret that goes to any host a pack allows.</>;
  return <>This replaces the value of a secret that goes only to {hosts.join(', ')}.</>;
}
