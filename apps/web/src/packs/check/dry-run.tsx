import { type Published, routes } from '@agentclash/api';
import { useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { newIdempotencyKey } from '../../data/idempotency-key.js';
import { Loaded } from '../../data/loaded.js';
import { useAll } from '../../data/use-all.js';
import { useChange } from '../../data/use-change.js';
import { useRead } from '../../data/use-read.js';
import { Button } from '../../design/button.js';
import { Dialog } from '../../design/dialog.js';
import { SelectField, TextField } from '../../design/field.js';
import { Failure, Loading } from '../../design/states.js';
import { requestProblems } from '../../runs/request-problems.js';
import { useMay } from '../../session/session.js';
import css from './check.module.css';
import { dryRunChoices } from './dry-run-choices.js';
import { packBody } from './pack-body.js';

interface DryRunProps {
  text: string;
  files: ReadonlyMap<string, File>;
  isValid: boolean;
}

/** Runs one case of the text of the editor with one deployment, without publishing it: as a draft of the pack. */
export function DryRun({ text, files, isValid }: DryRunProps) {
  const [isOpen, setOpen] = useState(false);
  const stored = useRef<Pick<DryRunProps, 'text' | 'files'>>(undefined);
  const store = useChange(routes.packs.publish, {});
  const mayRun = useMay('member');
  if (!mayRun) return null;
  const open = () => {
    setOpen(true);
    // The same text is stored once.
    if (store.isSuccess && stored.current?.text === text && stored.current.files === files) return;
    stored.current = { text, files };
    store.mutate({
      query: { draft: true },
      body: packBody(text, files),
      idempotencyKey: newIdempotencyKey(),
    });
  };
  return (
    <>
      <Button disabled={!isValid} isBusy={store.isPending} onClick={open}>
        Dry run
      </Button>
      <Dialog title="Dry run of one case" isOpen={isOpen} onClose={() => setOpen(false)}>
        {store.error && <Failure error={store.error} />}
        {store.isPending && <Loading what="the draft" />}
        {store.isSuccess && <DraftRunForm draft={store.data} onCancel={() => setOpen(false)} />}
        {!store.isSuccess && <Button onClick={() => setOpen(false)}>Close</Button>}
      </Dialog>
    </>
  );
}

interface DraftRunFormProps {
  draft: Published;
  onCancel: () => void;
}

function DraftRunForm({ draft, onCancel }: DraftRunFormProps) {
  const version_id = draft.challenge_pack_version_id;
  const [, go] = useLocation();
  const [inputSetId, setInputSetId] = useState(draft.input_sets[0]?.id ?? '');
  const [typedCase, setTypedCase] = useState<string>();
  const [chosen, setChosen] = useState<string>();
  const params = { version_id, input_set_id: inputSetId };
  const cases = useRead(routes.versions.cases, { params }, { enabled: inputSetId !== '' });
  const deployments = useAll(routes.deployments.list, { query: { status: 'active' } });
  const manifest = useRead(routes.versions.manifest, { params: { version_id } });
  const start = useChange(routes.runs.create, { onSuccess: ({ id }) => go(`/runs/${id}`) });
  const keys = cases.data?.items.map(({ case_key }) => case_key) ?? [];
  const { case_keys: problem } = requestProblems(start.error);
  const caseKey = typedCase ?? keys[0] ?? '';
  return (
    <Loaded of={deployments} what="the deployments">
      {(items) => {
        const { choices, first } = dryRunChoices(manifest.data, items);
        const deploymentId = chosen ?? (manifest.isLoading ? '' : first);
        if (items.length === 0) {
          return (
            <p>
              A run needs a deployment. <Link to="/deployments">Create one</Link>
            </p>
          );
        }
        const submit = () =>
          start.mutate({
            body: {
              challenge_pack_version_id: version_id,
              challenge_input_set_id: inputSetId,
              case_keys: [caseKey.trim()],
              deployment_ids: [deploymentId],
            },
            idempotencyKey: newIdempotencyKey(),
          });
        return (
          <form
            className={css.dryRun}
            onSubmit={(event) => {
              event.preventDefault();
              submit();
            }}
          >
            <p>
              The draft and its run are in no list and are compared with nothing. The run is deleted a day
              after its end, the draft after two days.
            </p>
            {draft.input_sets.length > 1 && (
              <SelectField
                label="Input set"
                value={inputSetId}
                onChange={({ target }) => {
                  setInputSetId(target.value);
                  setTypedCase(undefined);
                }}
              >
                {draft.input_sets.map(({ id, key }) => (
                  <option key={id} value={id}>
                    {key}
                  </option>
                ))}
              </SelectField>
            )}
            <TextField
              label="Case"
              required
              choices={keys}
              problem={problem}
              value={caseKey}
              onChange={({ target }) => setTypedCase(target.value)}
            />
            <SelectField
              label="Deployment"
              required
              value={deploymentId}
              onChange={({ target }) => setChosen(target.value)}
            >
              {deploymentId === '' && <option value="">Choose …</option>}
              {choices.map(({ id, name, problem: unable }) => (
                <option key={id} value={id} disabled={unable !== undefined}>
                  {unable === undefined ? name : `${name}: ${unable}`}
                </option>
              ))}
            </SelectField>
            {cases.error && <Failure error={cases.error} />}
            {start.error && problem === undefined && <Failure error={start.error} />}
            <span>
              <Button
                type="submit"
                kind="primary"
                isBusy={start.isPending}
                disabled={caseKey.trim() === '' || deploymentId === ''}
              >
                Start
              </Button>{' '}
              <Button onClick={onCancel}>Cancel</Button>
            </span>
          </form>
        );
      }}
    </Loaded>
  );
}
