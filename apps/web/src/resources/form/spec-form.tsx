import { ApiError, type Client } from '@agentclash/api';
import { type FormEvent, useState } from 'react';
import { stringify } from 'yaml';
import { newIdempotencyKey } from '../../data/idempotency-key.js';
import { useMutationOnce } from '../../data/use-mutation-once.js';
import { Button } from '../../design/button.js';
import { SelectField, TextArea, TextField } from '../../design/field.js';
import { Failure } from '../../design/states.js';
import { Tabs } from '../../design/tabs.js';
import { showToast } from '../../design/toasts.js';
import { useSession } from '../../session/session.js';
import { readSpec, type SpecProblem, warningsOf } from './read-spec.js';
import type { ResourceKind } from './resource-kind.js';
import { specDocument } from './spec-document.js';
import { lineOf, SpecFields } from './spec-fields.js';
import css from './spec-form.module.css';

interface SpecFormProps<Item extends { id: string; name: string }, Spec> {
  kind: ResourceKind<Item, Spec>;
  /** The item to edit; null creates a new one. */
  item: Item | null;
  isReadOnly: boolean;
  onDone: () => void;
  onCancel: () => void;
}

const ROWS = 16;

type View = 'form' | 'yaml';

const VIEWS = [
  { key: 'form', name: 'Form' },
  { key: 'yaml', name: 'YAML' },
] as const;

/** A spec as a form and as YAML, with templates; a secret member has a password field of its own. */
export function SpecForm<Item extends { id: string; name: string }, Spec>(props: SpecFormProps<Item, Spec>) {
  const { kind, item, isReadOnly, onDone, onCancel } = props;
  const { client } = useSession();
  const { useStarters = () => kind.starters } = kind;
  const starters = useStarters();
  const [template, setTemplate] = useState(() => Object.keys(starters)[0] ?? '');
  const [written, setWritten] = useState<string>();
  // A template follows the lists of the workspace until it is changed.
  const text = written ?? stringify(item === null ? (starters[template] ?? {}) : kind.specOf(item));
  const [view, setView] = useState<View>('form');
  const [secret, setSecret] = useState('');
  const [problems, setProblems] = useState<readonly SpecProblem[]>([]);
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  const [idempotencyKey] = useState(newIdempotencyKey);
  const save = useMutationOnce({
    mutationFn: (spec: Spec) =>
      item === null ? kind.create(client, spec, idempotencyKey) : kind.update(client, item.id, spec),
    onSuccess: (saved) => {
      showToast(item === null ? `New ${kind.singular} created` : `${item.name} saved`);
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
    if ('spec' in reading) return save.mutate(reading.spec);
    const unknown = await unknownNames(kind, client, text);
    // Unless the text was changed in the meantime.
    setProblems((shown) => (shown === reading.problems ? [...shown, ...unknown] : shown));
  };
  const change = (changed: string | undefined) => {
    setWritten(changed);
    // They are of an earlier text: the next attempt to save finds those that are left.
    setProblems([]);
    save.reset();
  };
  const choose = (name: string) => {
    setTemplate(name);
    change(undefined);
  };
  if (warnings.length > 0) return <Warnings warnings={warnings} onDone={onDone} />;
  const refused = [...problems, ...problemsOfServer(save.error)];
  // The form closes when it is saved: what is written in the meantime would be lost.
  const isFixed = isReadOnly || save.isPending;
  const hint = isReadOnly ? undefined : 'YAML or JSON';
  const yaml = <SpecText {...{ text, hint }} problems={refused} isReadOnly={isFixed} onChange={change} />;
  const { fields } = kind;
  return (
    <form className={css.form} onSubmit={submit} noValidate>
      {item === null && (
        <Templates names={Object.keys(starters)} chosen={template} isFixed={isFixed} onChoose={choose} />
      )}
      {fields === undefined ? (
        yaml
      ) : (
        <Tabs label="Views of the spec" tabs={VIEWS} current={view} onChange={setView}>
          {(key) =>
            key === 'yaml' ? (
              yaml
            ) : (
              <div className={css.fields}>
                <SpecFields
                  text={text}
                  fieldsOf={fields}
                  problems={refused}
                  isReadOnly={isFixed}
                  onChange={change}
                />
              </div>
            )
          }
        </Tabs>
      )}
      {kind.secret && !isReadOnly && (
        <TextField
          label={kind.secret.label}
          hint={kind.secret.hint}
          type="password"
          autoComplete="off"
          readOnly={isFixed}
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

/** None where the text cannot be read, or the server is unavailable: the other problems are shown all the same. */
async function unknownNames<Item extends { id: string; name: string }, Spec>(
  kind: Pick<ResourceKind<Item, Spec>, 'unknownNames'>,
  client: Client,
  text: string,
): Promise<readonly SpecProblem[]> {
  const spec = specDocument(text);
  if (spec === undefined) return [];
  return (await kind.unknownNames?.(client, spec).catch(() => [])) ?? [];
}

/** The problems of fields that the server found. */
function problemsOfServer(error: unknown): SpecProblem[] {
  if (!(error instanceof ApiError)) return [];
  return error.errors.map(({ field, message }) => ({ field: field.replace(/^spec\./, ''), message }));
}

interface TemplatesProps {
  names: readonly string[];
  chosen: string;
  isFixed: boolean;
  onChoose: (name: string) => void;
}

function Templates({ names, chosen, isFixed, onChoose }: TemplatesProps) {
  if (names.length < 2) return null;
  return (
    <SelectField
      label="Template"
      disabled={isFixed}
      value={chosen}
      onChange={({ target }) => onChoose(target.value)}
    >
      {names.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </SelectField>
  );
}

interface SpecTextProps {
  text: string;
  problems: readonly SpecProblem[];
  hint: string | undefined;
  isReadOnly: boolean;
  onChange: (text: string) => void;
}

function SpecText({ text, problems, hint, isReadOnly, onChange }: SpecTextProps) {
  return (
    <TextArea
      label="Spec"
      hint={hint}
      rows={ROWS}
      spellCheck={false}
      readOnly={isReadOnly}
      value={text}
      onChange={({ target }) => onChange(target.value)}
      problem={
        problems.length === 0
          ? undefined
          : problems.map((problem) => <span key={lineOf(problem)}>{lineOf(problem)}</span>)
      }
    />
  );
}

function Warnings({ warnings, onDone }: { warnings: readonly string[]; onDone: () => void }) {
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
