import { type Deployment, type InputSet, type Pack, type Run, routes } from '@agentclash/api';
import { type FormEvent, type ReactNode, useState } from 'react';
import { newIdempotencyKey } from '../data/idempotency-key.js';
import { useChange } from '../data/use-change.js';
import { useRead } from '../data/use-read.js';
import { Badge } from '../design/badge.js';
import { Button } from '../design/button.js';
import { SelectField, TextArea, TextField } from '../design/field.js';
import { Panel } from '../design/panel.js';
import { Failure } from '../design/states.js';
import { type DefaultLineup, defaultLineup } from './default-lineup.js';
import { EMPTY_DRAFT, type RunDraft, readDraft } from './run-draft.js';
import css from './start-run-form.module.css';
import { VariantChoice, variantsOf } from './variant-choice.js';

interface StartRunFormProps {
  packs: readonly Pack[];
  deployments: readonly Deployment[];
  /** The initial version, and a run whose failed cases are run. */
  preset: { version: string | null; onlyFailedOf: string | null };
  onStarted: (run: Run) => void;
}

export function StartRunForm({ packs, deployments, preset, onStarted }: StartRunFormProps) {
  const [draft, setDraft] = useState<RunDraft>({
    ...EMPTY_DRAFT,
    versionId: preset.version ?? firstOf(packs),
    onlyFailedOf: preset.onlyFailedOf ?? '',
  });
  const [idempotencyKey] = useState(newIdempotencyKey);
  const change = (part: Partial<RunDraft>) => setDraft((old) => ({ ...old, ...part }));
  const start = useChange(routes.runs.create, { touches: [routes.runs.list], onSuccess: onStarted });
  const lineup = useDefaultLineup(draft.versionId, deployments);
  const chosen = draft.deploymentIds ?? lineup?.ids ?? [];
  const [leftOut, setLeftOut] = useState<readonly string[]>([]);
  const variants = variantsOf(deployments, chosen);
  const racing = variants.map(({ name }) => name).filter((name) => !leftOut.includes(name));
  const areAll = racing.length === variants.length;
  const reading = readDraft({ ...draft, deploymentIds: chosen, variants: areAll ? null : racing });
  // Problems are shown after the first submit, not while a line is typed.
  const [isSubmitted, setSubmitted] = useState(false);
  const labelProblems = isSubmitted && 'labelProblems' in reading ? reading.labelProblems : [];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSubmitted(true);
    if (!('request' in reading)) return;
    const body = reading.request;
    // A repeated request starts one run; a changed request starts another.
    start.mutate({ body, idempotencyKey: `${idempotencyKey}-${fingerprint(body)}` });
  };
  return (
    <form className={css.form} onSubmit={submit}>
      <Panel title="Pack">
        <div className={css.fields}>
          <VersionField packs={packs} value={draft.versionId} onChange={change} />
          <InputSetField draft={draft} onChange={change} />
          <TextArea
            label="Cases (optional)"
            hint="One key per line; default: all cases of the input set"
            rows={2}
            value={draft.cases}
            onChange={({ target }) => change({ cases: target.value })}
          />
          <TextField
            label="Failed cases of a run (optional)"
            hint="Id of an earlier run of the pack"
            value={draft.onlyFailedOf}
            onChange={({ target }) => change({ onlyFailedOf: target.value })}
          />
        </div>
      </Panel>
      <Panel title="Agents">
        {lineup && draft.deploymentIds === null && <LineupNote {...lineup} />}
        <Contestants deployments={deployments} chosen={chosen} onChange={change} />
        <VariantChoice variants={variants} leftOut={leftOut} onChange={setLeftOut} />
      </Panel>
      <Panel title="Options">
        <Settings draft={draft} labelProblems={labelProblems} onChange={change} />
      </Panel>
      {start.error && <Failure error={start.error} />}
      <span>
        <Button
          type="submit"
          kind="primary"
          isBusy={start.isPending}
          disabled={draft.versionId === '' || chosen.length === 0 || (!areAll && racing.length === 0)}
        >
          Start
        </Button>
      </span>
    </form>
  );
}

/** The default lineup of the chosen version; undefined while it is loading. */
function useDefaultLineup(version_id: string, deployments: readonly Deployment[]): DefaultLineup | undefined {
  const manifest = useRead(
    routes.versions.manifest,
    { params: { version_id } },
    { enabled: version_id !== '' },
  );
  return defaultLineup(manifest.data, deployments);
}

function LineupNote({ missing }: DefaultLineup) {
  return (
    <p className={css.note}>
      The pack's default lineup is chosen.
      {missing.length > 0 && ` Not in this workspace: ${missing.join(', ')}.`}
    </p>
  );
}

type Change = (part: Partial<RunDraft>) => void;

function VersionField({
  packs,
  value,
  onChange,
}: {
  packs: readonly Pack[];
  value: string;
  onChange: Change;
}) {
  return (
    <SelectField
      label="Pack and version"
      value={value}
      onChange={({ target }) => onChange({ versionId: target.value, inputSetId: '' })}
    >
      {packs.map(({ id, name, versions }) => (
        <optgroup key={id} label={name}>
          {versions.filter(isStartable).map((version) => (
            <option key={version.id} value={version.id}>
              {version.slug} v{version.version_number}
              {version.lifecycle_status === 'deprecated' && ' (deprecated)'}
            </option>
          ))}
        </optgroup>
      ))}
    </SelectField>
  );
}

function InputSetField({ draft, onChange }: { draft: RunDraft; onChange: Change }) {
  const sets = useRead(
    routes.versions.inputSets,
    { params: { version_id: draft.versionId } },
    { enabled: draft.versionId !== '' },
  );
  const items = sets.data?.items ?? [];
  const chosen = items.length === 1 ? (items[0]?.id ?? '') : draft.inputSetId;
  return (
    <SelectField
      label="Input set"
      required
      hint={inputSetHint(items, chosen)}
      value={chosen}
      onChange={({ target }) => onChange({ inputSetId: target.value })}
      disabled={items.length < 2}
    >
      {items.length !== 1 && <option value="">{sets.isPending ? 'loading …' : 'choose one'}</option>}
      {items.map(({ id, key, case_count }) => (
        <option key={id} value={id}>
          {key} ({case_count} cases)
        </option>
      ))}
    </SelectField>
  );
}

/** The description of the chosen set; without a choice, the descriptions of all. */
function inputSetHint(sets: readonly InputSet[], chosen: string): ReactNode {
  const only = sets.find(({ id }) => id === chosen);
  if (only) return only.description ?? undefined;
  const described = sets.filter(({ description }) => description !== null);
  if (described.length === 0) return undefined;
  return described.map(({ id, key, description }) => (
    <span key={id} className={css.hintLine}>
      {key}: {description}
    </span>
  ));
}

/** More deployments than this have a search field. */
const SEARCHED_MIN = 12;

interface ContestantsProps {
  deployments: readonly Deployment[];
  chosen: readonly string[];
  onChange: Change;
}

function Contestants({ deployments, chosen, onChange }: ContestantsProps) {
  const toggle = (id: string, isChosen: boolean) =>
    onChange({ deploymentIds: isChosen ? [...chosen, id] : chosen.filter((other) => other !== id) });
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  // Chosen deployments stay visible.
  const shown = deployments.filter(
    ({ id, name }) => chosen.includes(id) || name.toLowerCase().includes(wanted),
  );
  return (
    <fieldset className={css.choices}>
      <legend className="visually-hidden">Deployments</legend>
      {deployments.length > SEARCHED_MIN && (
        <div className={css.search}>
          <TextField
            label="Search"
            type="search"
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </div>
      )}
      {shown.map(({ id, name, kind }) => (
        <label key={id} className={css.choice}>
          <input
            type="checkbox"
            checked={chosen.includes(id)}
            onChange={({ target }) => toggle(id, target.checked)}
          />
          {name} <Badge>{kind}</Badge>
        </label>
      ))}
    </fieldset>
  );
}

interface SettingsProps {
  draft: RunDraft;
  labelProblems: readonly string[];
  onChange: Change;
}

function Settings({ draft, labelProblems, onChange }: SettingsProps) {
  return (
    <div className={css.fields}>
      <TextField
        label="Name (optional)"
        maxLength={200}
        value={draft.name}
        onChange={({ target }) => onChange({ name: target.value })}
      />
      <TextField
        label="Repetitions"
        type="number"
        min={1}
        max={100}
        required
        value={draft.repetitions}
        onChange={({ target }) => onChange({ repetitions: target.value })}
      />
      <TextField
        label="Max concurrency (optional)"
        type="number"
        min={1}
        max={10_000}
        value={draft.maxConcurrency}
        onChange={({ target }) => onChange({ maxConcurrency: target.value })}
      />
      <TextArea
        label="Labels (optional)"
        hint="One key=value per line"
        problem={labelProblems.length === 0 ? undefined : labelProblems.join(' ')}
        rows={2}
        className={css.labels ?? ''}
        value={draft.labels}
        onChange={({ target }) => onChange({ labels: target.value })}
      />
      <label className={css.choice}>
        <input
          type="checkbox"
          checked={draft.hasRaceContext}
          onChange={({ target }) => onChange({ hasRaceContext: target.checked })}
        />
        Share race progress with agents: each one sees the standings of the others during the race
      </label>
    </div>
  );
}

function isStartable({ lifecycle_status }: Pack['versions'][number]): boolean {
  return lifecycle_status !== 'archived';
}

function firstOf(packs: readonly Pack[]): string {
  return packs.flatMap(({ versions }) => versions.filter(isStartable))[0]?.id ?? '';
}

/** A 32-bit FNV-1a of the JSON of a request. */
function fingerprint(body: object): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(JSON.stringify(body)))
    hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16);
}
