import { type FormEvent, useState } from 'react';
import { newIdempotencyKey } from '../data/idempotency-key.js';
import { useMutationOnce } from '../data/use-mutation-once.js';
import { Button } from '../design/button.js';
import { SelectField, TextArea, TextField } from '../design/field.js';
import { Failure } from '../design/states.js';
import { useSession } from '../session/session.js';
import { readSpec, warningsOf } from './read-spec.js';
import css from './resource.module.css';
import type { ResourceKind } from './resource-kind.js';

interface SpecFormProps<Item extends { id: string; name: string }, Spec> {
  kind: ResourceKind<Item, Spec>;
  /** The item to edit; null creates a new one. */
  item: Item | null;
  beginning: object;
  isReadOnly: boolean;
  onDone: () => void;
  onCancel: () => void;
}

const ROWS = 16;

/** A spec as JSON or YAML with templates; a secret member has a password field of its own. */
export function SpecForm<Item extends { id: string; name: string }, Spec>(props: SpecFormProps<Item, Spec>) {
  const { kind, item, beginning, isReadOnly, onDone, onCancel } = props;
  const { client } = useSession();
  const [text, setText] = useState(() => JSON.stringify(beginning, null, 2));
  const [secret, setSecret] = useState('');
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  const [idempotencyKey] = useState(newIdempotencyKey);
  const save = useMutationOnce({
    mutationFn: (spec: Spec) =>
      item === null ? kind.create(client, spec, idempotencyKey) : kind.update(client, item.id, spec),
    onSuccess: (saved) => {
      const warned = warningsOf(saved);
      if (warned.length === 0) onDone();
      else setWarnings(warned);
    },
  });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const apart = kind.secret !== undefined && secret !== '' ? { [kind.secret.member]: secret } : {};
    const reading = await readSpec(kind.spec, text, apart);
    setProblems('problems' in reading ? reading.problems : []);
    if ('spec' in reading) save.mutate(reading.spec);
  };
  const starters = Object.keys(kind.starters);
  if (warnings.length > 0) {
    return (
      <div className={css.form}>
        <p role="status">Saved with {warnings.length === 1 ? 'a warning' : 'warnings'}:</p>
        {warnings.map((warning) => (
          <p key={warning}>{warning}</p>
        ))}
        <div className={css.buttons}>
          <Button kind="primary" onClick={onDone}>
            Close
          </Button>
        </div>
      </div>
    );
  }
  return (
    <form className={css.form} onSubmit={submit}>
      {item === null && starters.length > 1 && (
        <SelectField
          label="Template"
          onChange={({ target }) => setText(JSON.stringify(kind.starters[target.value] ?? {}, null, 2))}
        >
          {starters.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </SelectField>
      )}
      <TextArea
        label="Spec"
        hint={isReadOnly ? undefined : 'JSON or YAML'}
        rows={ROWS}
        spellCheck={false}
        readOnly={isReadOnly}
        value={text}
        onChange={({ target }) => setText(target.value)}
        problem={
          problems.length === 0 ? undefined : problems.map((problem) => <span key={problem}>{problem}</span>)
        }
      />
      {kind.secret && !isReadOnly && (
        <TextField
          label={kind.secret.label}
          hint={kind.secret.hint}
          type="password"
          autoComplete="off"
          value={secret}
          onChange={({ target }) => setSecret(target.value)}
        />
      )}
      {save.error && <Failure error={save.error} />}
      <div className={css.buttons}>
        <Button onClick={onCancel}>{isReadOnly ? 'Close' : 'Cancel'}</Button>
        {!isReadOnly && (
          <Button type="submit" kind="primary" isBusy={save.isPending}>
            {item === null ? 'Create' : 'Save'}
          </Button>
        )}
      </div>
    </form>
  );
}
