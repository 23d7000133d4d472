import { ApiError, routes } from '@agentclash/api';
import { type FormEvent, useState } from 'react';
import { useChange } from '../data/use-change.js';
import { Button } from '../design/button.js';
import { Failure } from '../design/failure.js';
import { TextField } from '../design/field.js';
import css from '../design/inline-form.module.css';
import { bindingOf, hostsText, isAnyChosen, type KnownSecret, reachOf, replacedBy } from './secret-draft.js';

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
  const [any, setAny] = useState<boolean | null>(null);
  const [stored, setStored] = useState('');
  const set = useChange(routes.secrets.set, {
    touches: [routes.secrets.list, routes.secrets.audit],
    onSuccess: () => {
      setStored(key);
      setKey('');
      setHosts(null);
      setAny(null);
    },
  });
  const draft = { key, hosts, isAny: any };
  const isAny = isAnyChosen(draft, known ?? []);
  const old = set.isPending ? undefined : replacedBy(draft, known ?? []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (known === undefined) return;
    const binding = bindingOf(draft, known);
    if (binding === undefined) return;
    set.mutate({ params: { key }, body: { value, ...binding } });
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
        label="Goes only to"
        hint="A host alone is https on port 443; others are written out: http://127.0.0.1:8080"
        placeholder="api.example.com, *.example.org"
        required={!isAny}
        disabled={isAny}
        pattern=".*[^\\s,].*"
        title="hosts or origins, with commas between them"
        value={isAny ? '' : hostsText(draft, known ?? [])}
        onChange={({ target }) => setHosts(target.value)}
      />
      <label className={css.wide}>
        <input type="checkbox" checked={isAny} onChange={({ target }) => setAny(target.checked)} /> Goes
        anywhere: wherever a pack or a deployment of any member sends it
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

/** What becomes of the secret that has this key. */
function Replacing(secret: KnownSecret) {
  return <>This replaces the value of a secret that goes to: {reachOf(secret).text}.</>;
}
