import { type Deployment, type Pack, type Run, routes, runTitle } from '@agentclash/api';
import { hasRunEnded } from '@agentclash/domain';
import { type FormEvent, useState } from 'react';
import { newIdempotencyKey } from '../data/idempotency-key.js';
import { useChange } from '../data/use-change.js';
import { useRead } from '../data/use-read.js';
import { Button } from '../design/button.js';
import { TextArea } from '../design/field.js';
import { Panel } from '../design/panel.js';
import { Failure } from '../design/states.js';
import { attemptCount } from './attempt-count.js';
import { Contestants } from './contestants.js';
import { type DefaultLineup, defaultLineup } from './default-lineup.js';
import { PlanPanel } from './plan-panel.js';
import { likeRecorded, notRecorded, useRecordedRun } from './recorded-run.js';
import { isShownBeside, type RequestProblems, requestProblems } from './request-problems.js';
import { RunChoice } from './run-choice.js';
import { type Change, type DraftProblems, EMPTY_DRAFT, type RunDraft, readDraft } from './run-draft.js';
import { RunSettings } from './run-settings.js';
import css from './start-run-form.module.css';
import { withoutBaseline } from './stop-draft.js';
import { StopFields, useBaselineLanes } from './stop-fields.js';
import { VariantChoice, variantsOf } from './variant-choice.js';
import {
  firstVersionOf,
  InputSetField,
  inputSetIdOf,
  modeOf,
  slugOf,
  VersionField,
} from './version-fields.js';

interface StartRunFormProps {
  packs: readonly Pack[];
  deployments: readonly Deployment[];
  /** The initial version, a run whose failed cases are run, a recorded run that is replayed, and a run that is repeated. */
  preset: Record<'version' | 'onlyFailedOf' | 'replayFrom' | 'like', string | null>;
  onStarted: (run: Run) => void;
}

export function StartRunForm({ packs, deployments, preset, onStarted }: StartRunFormProps) {
  const [own, setDraft] = useState<RunDraft>({
    ...EMPTY_DRAFT,
    versionId: preset.version ?? ((preset.replayFrom ?? preset.like) === null ? firstVersionOf(packs) : ''),
    onlyFailedOf: preset.onlyFailedOf ?? '',
    ...(preset.replayFrom !== null && { modelCalls: 'replay', replayFrom: preset.replayFrom }),
  });
  const [idempotencyKey] = useState(newIdempotencyKey);
  const change: Change = (part) => {
    // A baseline is of the same version and input set.
    const isOfOthers = part.versionId !== undefined || part.inputSetId !== undefined;
    setDraft((old) => ({ ...old, ...part, ...(isOfOthers && { stop: withoutBaseline(old.stop) }) }));
  };
  const start = useChange(routes.runs.create, {
    touches: [routes.runs.list],
    done: (run) => `${runTitle(run)} started`,
    onSuccess: onStarted,
  });
  // The choice of another version ends the likeness to a run that is repeated.
  const like = own.versionId === '' ? (preset.like ?? '') : '';
  const recorded = useRecordedRun(own.modelCalls === 'replay' ? own.replayFrom : like);
  // The run that the address names may be of any pack.
  const versionId = own.versionId || (recorded?.run.challenge_pack_version_id ?? '');
  const lineup = useDefaultLineup(versionId, deployments);
  const sets = useRead(
    routes.versions.inputSets,
    { params: { version_id: versionId } },
    { enabled: versionId !== '' },
  );
  const inputSets = sets.data?.items ?? [];
  const draft = recorded ? likeRecorded({ ...own, versionId }, recorded, { deployments, inputSets }) : own;
  const chosen = draft.deploymentIds ?? lineup?.ids ?? [];
  const [leftOut, setLeftOut] = useState<readonly string[] | null>(null);
  const variants = variantsOf(deployments, chosen);
  const names = variants.map(({ name }) => name);
  const absent = leftOut ?? (recorded ? notRecorded(names, recorded) : []);
  const racing = names.filter((name) => !absent.includes(name));
  const areAll = racing.length === variants.length;
  const { stop, lanes: baselineLanes } = useBaselineLanes(draft.stop);
  const reading = readDraft({ ...draft, stop, deploymentIds: chosen, variants: areAll ? null : racing });
  // Problems are shown after the first submit, not while a line is typed.
  const [isSubmitted, setSubmitted] = useState(false);
  const problems: RequestProblems = {
    ...requestProblems(start.error),
    ...(isSubmitted && 'problems' in reading && textsOf(reading.problems)),
  };
  const pack = slugOf(packs, draft.versionId);
  const attempts = attemptCount(draft, {
    set: inputSets.find((set) => set.id === inputSetIdOf(inputSets, draft)),
    deployments: deployments.filter((deployment) => chosen.includes(deployment.id)),
    variants: racing,
  });
  const isChosen = draft.versionId !== '' && chosen.length > 0 && (areAll || racing.length > 0);
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
          <VersionField
            packs={packs}
            value={draft.versionId}
            problem={problems.challenge_pack_version_id}
            onChange={change}
          />
          <InputSetField
            sets={inputSets}
            isLoading={sets.isPending}
            draft={draft}
            problems={problems}
            onChange={change}
          />
          <TextArea
            label="Cases (optional)"
            hint="One key per line; default: all cases of the input set"
            problem={problems.case_keys}
            rows={2}
            className={css.short ?? ''}
            value={draft.cases ?? ''}
            onChange={({ target }) => change({ cases: target.value })}
          />
          <RunChoice
            label="Failed cases of a run (optional)"
            hint="An earlier run of the pack"
            problem={problems.only_failed_of}
            value={draft.onlyFailedOf}
            onChange={(run) => change({ onlyFailedOf: run })}
            among={{
              query: pack === undefined ? {} : { pack },
              isOffered: ({ status }) => hasRunEnded(status),
              name: 'ended runs of this pack',
            }}
          />
        </div>
      </Panel>
      <Panel title="Agents">
        {lineup && draft.deploymentIds === null && <LineupNote {...lineup} />}
        <Contestants
          deployments={deployments}
          chosen={chosen}
          mode={modeOf(packs, draft.versionId)}
          problem={problems.deployment_ids}
          onChange={change}
        />
        <VariantChoice
          variants={variants}
          leftOut={absent}
          problem={problems.variants}
          onChange={setLeftOut}
        />
      </Panel>
      <Panel title="Options">
        <RunSettings draft={draft} pack={pack} problems={problems} onChange={change} />
      </Panel>
      <Panel title="Stop when">
        <StopFields
          draft={{ ...draft, stop }}
          cases={{
            pack,
            versionId: draft.versionId,
            inputSetId: inputSetIdOf(inputSets, draft),
          }}
          baselineLanes={baselineLanes}
          problems={problems}
          onChange={change}
        />
      </Panel>
      <PlanPanel
        request={isChosen && 'request' in reading ? reading.request : undefined}
        onPlan={() => setSubmitted(true)}
      />
      {start.error && <Failure error={start.error} isListed={({ field }) => !isShownBeside(field)} />}
      <span>
        <Button type="submit" kind="primary" isBusy={start.isPending} disabled={!isChosen}>
          Start
        </Button>{' '}
        {attempts}
      </span>
    </form>
  );
}

function textsOf(problems: DraftProblems): RequestProblems {
  return Object.fromEntries(Object.entries(problems).map(([field, texts]) => [field, texts.join(' ')]));
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

/** A 32-bit FNV-1a of the JSON of a request. */
function fingerprint(body: object): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(JSON.stringify(body)))
    hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16);
}
