import { routes, runTitle } from '@agentclash/api';
import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useRead } from '../data/use-read.js';
import { useIsShared } from '../session/session.js';
import css from './breadcrumbs.module.css';

type Params = Readonly<Record<string, string>>;
type Crumb = (params: Params) => ReactNode;

const list =
  (to: string, name: string): Crumb =>
  () => <Link to={to}>{name}</Link>;

const RUNS = list('/runs', 'Runs');
const PACKS = list('/packs', 'Packs');
const COMPARE = list('/compare', 'Compare');
const REVIEWS = list('/reviews', 'Reviews');
const run: Crumb = ({ runId = '' }) => <RunCrumb runId={runId} />;

/** The pages above each page that is below a list, by the path of its screen. */
export const TRAILS: Readonly<Record<string, readonly Crumb[]>> = {
  '/runs/new': [RUNS],
  '/runs/:runId': [RUNS],
  '/runs/:runId/arena': [RUNS],
  '/runs/:runId/ranking': [RUNS],
  '/runs/:runId/matrix': [RUNS],
  '/runs/:runId/failures': [RUNS],
  '/runs/:runId/search': [RUNS],
  '/runs/:runId/gate': [RUNS],
  '/runs/:runId/review': [RUNS],
  '/runs/:runId/agents/:runAgentId': [RUNS, run],
  '/runs/:runId/agents/:runAgentId/case': [RUNS, run],
  '/runs/:runId/cases/:caseKey': [RUNS, run],
  '/attempts/:attemptId': [RUNS, ({ attemptId = '' }) => <AttemptCrumbs attemptId={attemptId} />],
  '/attempts/:attemptId/scorecard': [RUNS],
  '/comparisons/:comparisonId': [COMPARE],
  // Of the run there is nothing: a queue is blind to what it holds.
  '/reviews/:queueId': [REVIEWS],
  '/reviews/:queueId/agreement': [REVIEWS],
  '/packs/check': [PACKS],
  '/packs/check/new': [PACKS, list('/packs/check', 'Check a pack')],
  '/packs/:pack': [PACKS],
  '/packs/:pack/changes': [PACKS, ({ pack = '' }) => <Link to={`/packs/${pack}`}>{pack}</Link>],
  '/versions/:versionId': [PACKS, ({ versionId = '' }) => <PackCrumb versionId={versionId} />],
  '/deployments/:deploymentId': [list('/deployments', 'Deployments')],
  '/workspaces/:workspace/tokens': [list('/workspaces', 'Workspaces')],
};

/** The pages above the one that is shown; nothing on the pages of the navigation. */
export function Breadcrumbs({ path, params }: { path: string; params: Params }) {
  const isShared = useIsShared();
  // A link to a run shows no list of runs.
  const trail = TRAILS[path]?.filter((crumb) => !isShared || crumb !== RUNS) ?? [];
  if (trail.length === 0) return null;
  return (
    <nav aria-label="Breadcrumbs" className={css.trail}>
      {trail.map((crumb, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the trail of a screen never changes.
        <Step key={index}>{crumb(params)}</Step>
      ))}
    </nav>
  );
}

function Step({ children }: { children: ReactNode }) {
  return (
    <span className={css.step}>
      {children}
      <ChevronRight size={12} aria-hidden="true" />
    </span>
  );
}

function RunCrumb({ runId }: { runId: string }) {
  const { data } = useRead(routes.runs.get, { params: { run_id: runId } });
  return <Link to={`/runs/${runId}`}>{runTitle(data ?? { id: runId })}</Link>;
}

/** The run and the case of an attempt, once it is known. */
function AttemptCrumbs({ attemptId }: { attemptId: string }) {
  const { data } = useRead(routes.attempts.get, { params: { attempt_id: attemptId } });
  if (data === undefined) return null;
  const { run_id: runId, case_key: caseKey } = data;
  return (
    <>
      <Step>
        <RunCrumb runId={runId} />
      </Step>
      <Link to={`/runs/${runId}/cases/${encodeURIComponent(caseKey)}`}>{caseKey}</Link>
    </>
  );
}

function PackCrumb({ versionId }: { versionId: string }) {
  const { data } = useRead(routes.versions.get, { params: { version_id: versionId } });
  return data === undefined ? null : <Link to={`/packs/${data.slug}`}>{data.name}</Link>;
}
