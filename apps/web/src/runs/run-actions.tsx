import { type Run, routes, runTitle } from '@agentclash/api';
import { canRepeat, canRunMove, hasRunEnded, type RetryChoice, type RunStatus } from '@agentclash/domain';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { useChange } from '../data/use-change.js';
import { Button, ButtonLink } from '../design/button.js';
import { Confirm } from '../design/dialog.js';
import { Failure } from '../design/states.js';
import { useIsShared, useMay } from '../session/session.js';
import { useMayRetryInfra } from './infra-failures.js';
import { RunAgain } from './run-again.js';
import { ShareRun } from './share-run.js';

const TOUCHED = [
  routes.runs.get,
  routes.runs.list,
  routes.runs.agents,
  routes.runs.attempts,
  routes.runs.ranking,
];

type ActionName = 'pause' | 'resume' | 'cancel' | 'retry_infra' | 'retry_failed' | 'rescore';

interface Action {
  name: string;
  /** True when a run of this status allows it. */
  when: (status: RunStatus) => boolean;
  /** True for what runs attempts, which an imported run has none of. */
  isOfOwn?: boolean;
  /** True when there is anything to do; default: true. */
  isOf?: (progress: Run['progress'], may: { retryInfra: boolean }) => boolean;
  /** The confirmation dialog, if any. */
  confirm?: { title: string; text: ReactNode; dismissal: string };
}

const ACTIONS: Record<ActionName, Action> = {
  pause: { name: 'Pause', when: (status) => canRunMove(status, 'paused') },
  resume: { name: 'Resume', when: (status) => status === 'paused' },
  retry_infra: {
    name: 'Retry infrastructure failures',
    when: canRepeat,
    isOfOwn: true,
    isOf: (_progress, { retryInfra }) => retryInfra,
  },
  retry_failed: {
    name: 'Retry failed attempts',
    when: canRepeat,
    isOfOwn: true,
    isOf: ({ passed, total, skipped = 0 }) => passed < total - skipped,
    confirm: {
      title: 'Retry failed attempts?',
      text: (
        <p>
          Retrying attempts because of their result inflates the scores of the run: it is marked as{' '}
          <q>selective retry</q> on every screen, and gates do not accept it.
        </p>
      ),
      dismissal: 'Keep results',
    },
  },
  rescore: {
    name: 'Re-score',
    when: canRepeat,
    confirm: {
      title: 'Re-score this run?',
      text: (
        <p>
          The stored evidence of every attempt is scored again by the same evaluation spec, and the ranking is
          made again. No attempt runs again. Judges call their models again, which costs money. Earlier scores
          stay as revisions.
        </p>
      ),
      dismissal: 'Keep scores',
    },
  },
  cancel: {
    name: 'Cancel run',
    when: (status) => !hasRunEnded(status),
    confirm: {
      title: 'Cancel this run?',
      text: <p>Running attempts end within seconds, without a score. Finished attempts are kept.</p>,
      dismissal: 'Keep running',
    },
  },
};
const NAMES = Object.keys(ACTIONS) as ActionName[];

/** The actions that the status of the run and the role of the token allow. */
export function RunActions({ run }: { run: Run }) {
  const mayChange = useMay('member');
  const isShared = useIsShared();
  const may = { retryInfra: useMayRetryInfra(run) };
  const changes = useRunChanges();
  const [confirming, setConfirming] = useState<ActionName | null>(null);
  const start = (name: ActionName) => changes[name].mutate(run.id, { onSettled: () => setConfirming(null) });
  const shown = mayChange ? NAMES.filter((name) => isPossible(ACTIONS[name], run, may)) : [];
  const failed = NAMES.map((name) => changes[name].error).find((error) => error !== null);
  const confirm = confirming === null ? undefined : ACTIONS[confirming].confirm;
  return (
    <>
      {!isShared && canRepeat(run.status) && (
        <ButtonLink to={`/compare?candidate=${run.id}`}>Compare</ButtonLink>
      )}
      {mayChange && run.model_calls === 'record' && hasRunEnded(run.status) && (
        <ButtonLink to={`/runs/new?version=${run.challenge_pack_version_id}&replay=${run.id}`}>
          Replay
        </ButtonLink>
      )}
      {shown.map((name) => (
        <Button
          key={name}
          kind={name === 'cancel' ? 'danger' : 'plain'}
          isBusy={changes[name].isPending}
          onClick={() => (ACTIONS[name].confirm ? setConfirming(name) : start(name))}
        >
          {ACTIONS[name].name}
        </Button>
      ))}
      {run.finished_at !== null && <RunAgain run={run} />}
      <ShareRun run={run} />
      <DeleteRun run={run} />
      <Confirm
        title={confirm?.title}
        isOpen={confirm !== undefined}
        onClose={() => setConfirming(null)}
        dismissal={confirm?.dismissal}
        action={confirming === null ? '' : ACTIONS[confirming].name}
        isBusy={confirming !== null && changes[confirming].isPending}
        onConfirm={() => confirming !== null && start(confirming)}
      >
        {confirm?.text}
      </Confirm>
      {failed && <Failure error={failed} />}
    </>
  );
}

function isPossible(
  { when, isOf, isOfOwn = false }: Action,
  { status, progress, imported }: Run,
  may: { retryInfra: boolean },
): boolean {
  if (isOfOwn && imported !== undefined) return false;
  return when(status) && (isOf === undefined || isOf(progress, may));
}

function useRunChanges() {
  const touches = TOUCHED;
  const { pause, resume, cancel, rescore, retry } = routes.runs;
  const isRetried = ({ retried }: { retried: number }) => `Attempts that run again: ${retried}`;
  const isRescored = ({ attempts }: { attempts: number }) => `Attempts that are scored again: ${attempts}`;
  return {
    pause: byId(useChange(pause, { touches, done: 'Run paused' }), ofRun),
    resume: byId(useChange(resume, { touches, done: 'Run resumed' }), ofRun),
    cancel: byId(useChange(cancel, { touches, done: 'The run is being cancelled' }), ofRun),
    rescore: byId(useChange(rescore, { touches, done: isRescored }), (id) => ({ ...ofRun(id), body: {} })),
    retry_infra: byId(useChange(retry, { touches, done: isRetried }), (id) => retryOf(id, 'infra')),
    retry_failed: byId(useChange(retry, { touches, done: isRetried }), (id) => retryOf(id, 'failed')),
  };
}

function ofRun(run_id: string) {
  return { params: { run_id } };
}

function retryOf(runId: string, only: RetryChoice) {
  return { ...ofRun(runId), body: { only } };
}

interface Settled {
  onSettled: () => void;
}

/** A change of a run, by the run's id alone. */
function byId<Options>(
  {
    mutate,
    isPending,
    error,
  }: {
    mutate: (options: Options, settled: Settled) => void;
    isPending: boolean;
    error: Error | null;
  },
  optionsOf: (runId: string) => Options,
) {
  return {
    isPending,
    error,
    mutate: (runId: string, settled: Settled) => mutate(optionsOf(runId), settled),
  };
}

/** Deletes a run that has ended, and leads back to the list. */
function DeleteRun({ run }: { run: Run }) {
  const mayDelete = useMay('admin');
  const [, navigate] = useLocation();
  const [isConfirming, setConfirming] = useState(false);
  // The screen of the run is closed before its data is refreshed.
  const remove = useChange(routes.runs.remove, {
    touches: [routes.runs.list],
    done: `${runTitle(run)} deleted`,
    onSuccess: () => navigate('/runs'),
  });
  if (!mayDelete || run.finished_at === null) return null;
  return (
    <>
      <Button kind="danger" isBusy={remove.isPending} onClick={() => setConfirming(true)}>
        Delete
      </Button>
      <Confirm
        title={`Delete ${runTitle(run)}?`}
        isOpen={isConfirming}
        onClose={() => setConfirming(false)}
        action="Delete"
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate({ params: { run_id: run.id } })}
      >
        <p>Its attempts, events, stored workspaces and scorecards are removed. This cannot be undone.</p>
        {remove.error && <Failure error={remove.error} />}
      </Confirm>
    </>
  );
}
