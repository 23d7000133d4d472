import { ApiError, routes } from '@agentclash/api';
import { type FormEvent, useState } from 'react';
import { unlessChanged } from '../data/unless-changed.js';
import { useChange } from '../data/use-change.js';
import { Button } from '../design/button.js';
import { TextField } from '../design/field.js';
import css from '../design/inline-form.module.css';
import { Failure } from '../design/states.js';
import { bindingOf, hostsText, isAnyChosen, type KnownSecret, reachOf, replacedBy } from './secret-draft.js';

interface SecretFormProps {
  /** The stored secrets; undefined while they are loading, when nothing can be set. */
  known: readonly KnownSecret[] | undefined;
  /** Key of the secret to replace. */
  replaced: string | undefined;
}

/** Sets a secret; the page drops its value as soon as it is sent. */
export function SecretForm({ known, replaced }: SecretFormProps) {
  const [key, setKey] = useState(replaced ?? '');
  const [value, setValue] = useState('');
  const [hosts, setHosts] = useState<string | null>(null);
  const [any, setAny] = useState<boolean | null>(null);
  const [stored, setStored] = useState('');
  const set = useChange(routes.secrets.set, {
    touches: [routes.secrets.list, routes.secrets.audit],
    done: 'Secret stored',
  });
  const draft = { key, hosts, isAny: any };
  const isAny = isAnyChosen(draft, known ?? []);
  const old = set.isPending ? undefined : replacedBy(draft, known ?? []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (known === undefined) return;
    const binding = bindingOf(draft, known);
    if (binding === undefined) return;
    const onSuccess = () => {
      setStored(key);
      setKey(unlessChanged(key, ''));
      setHosts(unlessChanged(hosts, null));
      setAny(unlessChanged(any, null));
    };
    set.mutate({ params: { key }, body: { value, ...binding } }, { onSuccess });
    // Also after a rejected request: the page does not keep the value.
    setValue('');
  };
  return (
    <form className={css.form} onSubmit={submit}>
      <TextField
        label="Key"
        hint={old && <Replacing secret={old} />}
        placeholder="SERVICE_API_KEY"
        autoComplete="off"
        spellCheck={false}
        required
        pattern="[A-Za-z_][A-Za-z0-9_]{0,127}"
        title="letters, digits and _, not starting with a digit"
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
        label="Allowed hosts"
        hint="A bare host means https on port 443; otherwise enter the origin: http://127.0.0.1:8080"
        placeholder="api.example.com, *.example.org"
        required={!isAny}
        disabled={isAny}
        pattern=".*[^\\s,].*"
        title="hosts or origins, separated by commas"
        value={isAny ? '' : hostsText(draft, known ?? [])}
        onChange={({ target }) => setHosts(target.value)}
      />
      <label className={css.wide}>
        <input type="checkbox" checked={isAny} onChange={({ target }) => setAny(target.checked)} /> Allow any
        host: a pack or a deployment of any member may send it anywhere
      </label>
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

/** The effect on the stored secret with this key. */
function Replacing({ secret }: { secret: KnownSecret }) {
  return <>Replaces the value of a secret. Allowed hosts: {reachOf(secret).text}.</>;
}
