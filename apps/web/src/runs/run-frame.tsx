import {
  caseSubsetLine,
  draftLine,
  packErrorLines,
  type Run,
  routes,
  runTitle,
  servedRepliesLine,
} from '@agentclash/api';
import { hasRunEnded } from '@agentclash/domain';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Loaded } from '../data/loaded.js';
import { useRead } from '../data/use-read.js';
import { Badge } from '../design/badge.js';
import { formatDuration } from '../design/format.js';
import { Page } from '../design/page.js';
import { type TabLink, TabLinks } from '../design/tab-links.js';
import { Ago } from '../design/time.js';
import { useIsShared, useSession } from '../session/session.js';
import { ModelCallsBadge } from './model-calls-badge.js';
import { RaceLines } from './race-lines.js';
import { RunActions } from './run-actions.js';
import { RunDescription } from './run-description.js';
import css from './run-frame.module.css';
import { RunLink } from './run-name.js';
import { RunProgress, RunStatusBadge } from './run-progress.js';

const TABS = [
  { key: 'overview', path: '', name: 'Overview' },
  { key: 'arena', path: '/arena', name: 'Arena' },
  { key: 'ranking', path: '/ranking', name: 'Ranking' },
  { key: 'matrix', path: '/matrix', name: 'Case matrix' },
  { key: 'failures', path: '/failures', name: 'Failures' },
  { key: 'search', path: '/search', name: 'Search' },
  { key: 'gate', path: '/gate', name: 'Gate' },
  { key: 'review', path: '/review', name: 'Review' },
] as const;
type RunTab = (typeof TABS)[number]['key'];

/** Before a run has ended its overview is the arena, and there is nothing to review. */
const OF_ENDED_RUNS = ['overview', 'review'] as const satisfies readonly RunTab[];

interface RunFrameProps {
  runId: string;
  tab: RunTab;
  children: (run: Run) => ReactNode;
}

/** The frame of all screens of a run: name, status, actions and tabs. */
export function RunFrame({ runId, tab, children }: RunFrameProps) {
  const run = useRun(runId);
  const isOver = run.data !== undefined && hasRunEnded(run.data.status);
  const { results_only: isOnlyResults } = useSession().whoami;
  const hidden: RunTab[] = [
    ...(isOver ? [] : OF_ENDED_RUNS),
    // Decisions and reviews are kept by a server, for those who work on it.
    ...(isOnlyResults ? (['gate', 'review'] as const) : []),
    ...(run.data?.draft ? (['gate'] as const) : []),
  ];
  const tabs = TABS.filter(({ key }) => key === tab || !hidden.includes(key)).map(
    ({ key, path, name }): TabLink => ({ key, name, to: `/runs/${runId}${path}` }),
  );
  const view = TABS.find(({ key }) => key === tab)?.name ?? '';
  const name = runTitle(run.data ?? { id: runId });
  return (
    <Page
      title={`${name}, ${view.toLowerCase()}`}
      heading={name}
      lead={run.data && <Facts run={run.data} />}
      actions={run.data && <RunActions run={run.data} />}
    >
      <TabLinks label="Views of the run" tabs={tabs} current={tab} />
      <Loaded of={run} what="the run">
        {(data) => (
          <>
            <RunDescription run={data} />
            <PackErrors run={data} />
            {data.draft && (
              <p className={css.warning}>
                <Badge tone="warn">draft</Badge> {draftLine(data)}
              </p>
            )}
            {data.case_subset && (
              <p className={css.warning}>
                <Badge tone="warn">subset</Badge> {caseSubsetLine(data)}
              </p>
            )}
            <ServedReplies run={data} />
            <RaceLines run={data} />
            <Warnings warnings={data.warnings} />
            {children(data)}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Facts({ run }: { run: Run }) {
  const { pack, input_set, repetitions, started_at, finished_at } = run;
  const isShared = useIsShared();
  const version = `${pack.slug} v${pack.version_number}`;
  // The time of a retried run includes the idle time before the retry.
  const isTimed = started_at && finished_at && !run.selective_retry;
  const tookMs = isTimed ? Date.parse(finished_at) - Date.parse(started_at) : null;
  return (
    <>
      <RunStatusBadge status={run.status} />
      {run.selective_retry && <Badge tone="warn">selective retry</Badge>}
      <ModelCallsBadge run={run} />
      {run.stopped && <Badge tone="accent">stopped: {run.stopped}</Badge>}
      <span>
        {isShared ? version : <Link to={`/versions/${run.challenge_pack_version_id}`}>{version}</Link>},{' '}
        {input_set.key}
        {repetitions > 1 && `, ${repetitions} repetitions`}
        {run.seed !== undefined && `, seed ${run.seed}`}
      </span>
      <span>
        by {run.created_by}, <Ago at={run.created_at} />
      </span>
      {tookMs !== null && <span>duration {formatDuration(tookMs)}</span>}
      <span className={css.progress}>
        <RunProgress progress={run.progress} />
      </span>
    </>
  );
}

/** The origin of imported attempts, or of replies that models did not give in this run, with a link to the recorded run. */
function ServedReplies({ run }: { run: Run }) {
  const { model_calls, imported } = run;
  const line = servedRepliesLine({ ...(model_calls && { model_calls }), ...(imported && { imported }) });
  if (line === undefined) return null;
  return (
    <p className={css.warning}>
      <ModelCallsBadge run={run} /> {line}
      {run.replay_from && (
        <>
          {'. '}
          Recorded run: <RunLink id={run.replay_from} view="/ranking" />
        </>
      )}
    </p>
  );
}

/** Warnings of the run, those with the same code together. */
function Warnings({ warnings }: Pick<Run, 'warnings'>) {
  const codes = [...new Set(warnings.map(({ code }) => code))];
  return codes.map((code) => (
    <div key={code} className={css.warning}>
      <Badge tone="warn">{code}</Badge>
      {warnings
        .filter((warning) => warning.code === code)
        .map(({ message }) => (
          <p key={message}>{message}</p>
        ))}
    </div>
  ));
}

/** Errors of the pack that prevent grading; shown on every screen of the run. */
export function PackErrors({ run }: { run: Run }) {
  const lines = packErrorLines(run);
  if (lines.length === 0) return null;
  return (
    <div role="alert" className={css.error}>
      <Badge tone="bad">pack error</Badge>
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  );
}

const REFRESH_MS = 2_000;
/** Slower for an ended run, whose attempts may still be retried. */
const OVER_REFRESH_MS = 15_000;

/** A run, kept up to date. */
function useRun(runId: string) {
  return useRead(
    routes.runs.get,
    { params: { run_id: runId } },
    {
      refetchInterval: (run: Run | undefined) =>
        run !== undefined && hasRunEnded(run.status) ? OVER_REFRESH_MS : REFRESH_MS,
    },
  );
}
