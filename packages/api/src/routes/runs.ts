import {
  Attempt,
  AttemptScorecard,
  EvalPlan,
  EvalPlanRequest,
  ImportedAttempts,
  ImportedCount,
  POSITION_MAX,
  page,
  RescoreRequest,
  RetriedRun,
  RetryRequest,
  Run,
  RunEdit,
  RunImportRequest,
  RunRequest,
  runs,
  scorecards,
} from '@agentclash/contracts';
import { z } from 'zod';
import { queryOf } from './list-query.js';
import { route } from './route.js';

/** Formats of a run's results (`jsonl`, `csv`, `parquet`) and of the trajectories of its attempts. */
export const EXPORT_FORMATS = ['jsonl', 'csv', 'parquet', 'atif', 'inspect', 'otel'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const runsPath = '/v1/workspaces/{ws}/runs';
const path = `${runsPath}/{run_id}` as const;

export const runRoutes = {
  create: route({
    method: 'POST',
    path: runsPath,
    access: 'member',
    summary:
      'Start a run: one version, one input set, one or more deployments; without any, those of the default lineup',
    body: RunRequest,
    response: Run,
    status: 201,
    creates: true,
  }),
  list: route({
    method: 'GET',
    path: runsPath,
    access: 'viewer',
    summary: 'Runs, newest first',
    query: queryOf(runs.list.input, 'workspace_id', 'deployment_id'),
    response: runs.list.output,
    status: 200,
  }),
  trends: route({
    method: 'GET',
    path: '/v1/workspaces/{ws}/run-trends',
    access: 'viewer',
    summary:
      'Completed runs with the scores, costs and times of their agents, newest first: of a pack, of a deployment, or of both',
    query: queryOf(runs.trends.input, 'workspace_id'),
    response: runs.trends.output,
    status: 200,
  }),
  search: route({
    method: 'GET',
    path: '/v1/workspaces/{ws}/runs/{run_id}/search',
    access: 'viewer',
    summary:
      'Events of the attempts of a run whose payloads have a text. A page ends after a bounded part of the history: only ' +
      'next_cursor shows whether more is left to search',
    query: queryOf(runs.search.input, 'workspace_id', 'run_id'),
    response: runs.search.output,
    status: 200,
  }),
  findIds: route({
    method: 'GET',
    path: '/v1/workspaces/{ws}/ids',
    access: 'viewer',
    summary:
      'Runs and attempts whose id begins or ends with a part, at most ten of each; runs by their number too',
    query: queryOf(runs.findIds.input, 'workspace_id'),
    response: runs.findIds.output,
    status: 200,
  }),
  get: route({
    method: 'GET',
    path,
    access: 'viewer',
    summary: 'One run: state, progress, times',
    response: Run,
    status: 200,
  }),
  edit: route({
    method: 'PATCH',
    path,
    access: 'member',
    summary: 'Change the name, the note or labels of a run; absent members stay, null removes',
    body: RunEdit,
    response: Run,
    status: 200,
  }),
  agents: route({
    method: 'GET',
    path: `${path}/agents`,
    access: 'viewer',
    summary: 'The run agents (lanes) of a run',
    response: runs.agents.output,
    status: 200,
  }),
  attempts: route({
    method: 'GET',
    path: `${path}/attempts`,
    access: 'viewer',
    summary: 'The attempts of a run with their outcomes',
    query: queryOf(runs.attempts.input, 'workspace_id', 'run_id'),
    response: runs.attempts.output,
    status: 200,
  }),
  scorecards: route({
    method: 'GET',
    path: `${path}/scorecards`,
    access: 'viewer',
    summary:
      'The attempts of a run with their scorecards, by page. A page is bounded by bytes too, and then shorter than ' +
      'limit: only next_cursor shows whether more follow',
    query: queryOf(runs.attempts.input, 'workspace_id', 'run_id'),
    response: page(z.object({ attempt: Attempt, scorecard: AttemptScorecard })),
    status: 200,
  }),
  cancel: route({
    method: 'POST',
    path: `${path}/cancel`,
    access: 'member',
    summary: 'Cancel a run; its attempts end within seconds',
    response: Run,
    status: 202,
    conflicts: 'The run has ended',
  }),
  pause: route({
    method: 'POST',
    path: `${path}/pause`,
    access: 'member',
    summary: 'Start no further attempt of a running run; those at work continue',
    response: Run,
    status: 202,
    conflicts: 'The run is not running',
  }),
  resume: route({
    method: 'POST',
    path: `${path}/resume`,
    access: 'member',
    summary: 'Resume a paused run',
    response: Run,
    status: 202,
    conflicts: 'The run is not paused',
  }),
  retry: route({
    method: 'POST',
    path: `${path}/retry`,
    access: 'member',
    summary:
      'Run finished attempts again in new deliveries; an ended run resumes. Anything but `infra` marks the run selective_retry',
    body: RetryRequest,
    response: RetriedRun,
    status: 202,
    conflicts: 'There is nothing to run again',
    creates: true,
  }),
  beginImport: route({
    method: 'POST',
    path: '/v1/workspaces/{ws}/run-imports',
    access: 'member',
    summary:
      'Create a run for attempts that were run elsewhere; 201 with the same run when the same source was imported before',
    body: RunImportRequest,
    response: Run,
    status: 201,
    conflicts: 'The workspace has too many imports that are not complete, or its storage is full',
    creates: true,
  }),
  addImported: route({
    method: 'POST',
    path: `${path}/imported-attempts`,
    access: 'member',
    summary:
      'Add finished attempts to an imported run, some at a time; those that it has already stay as they are',
    body: ImportedAttempts,
    response: ImportedCount,
    status: 200,
    conflicts: 'The run is no import, or has ended',
  }),
  completeImport: route({
    method: 'POST',
    path: `${path}/imported-attempts/complete`,
    access: 'member',
    summary: 'End an import: attempts that were not added are missing data, and the run is scored and ranked',
    response: Run,
    status: 202,
    conflicts: 'The run is no import',
  }),
  rescore: route({
    method: 'POST',
    path: `${path}/rescore`,
    access: 'member',
    summary: 'Score an ended run again from its stored evidence, as a next revision',
    body: RescoreRequest,
    response: scorecards.rescore.output,
    status: 202,
    conflicts: 'The run has not ended, or is being scored again',
    creates: true,
  }),
  remove: route({
    method: 'DELETE',
    path,
    access: 'admin',
    summary:
      'Delete a run that has ended, with its evidence and scorecards. It disappears at once; its stored bytes are removed in the background',
    response: 'none',
    status: 204,
    conflicts: 'The run has not ended, a baseline names it, or it is being scored again',
  }),
  export: route({
    method: 'GET',
    path: `${path}/export`,
    access: 'viewer',
    summary:
      'The results of the attempts (jsonl, csv, parquet) or their trajectories (atif, inspect, otel) as a stream; ' +
      'one that breaks off is not complete',
    query: z.strictObject({
      format: z.enum(EXPORT_FORMATS),
      /** Name or id of a run agent: its attempts alone. `inspect` needs it where the run has several. */
      lane: z.string().min(1).max(512).optional(),
    }),
    response: 'export',
    status: 200,
  }),
  events: route({
    method: 'GET',
    path: `${path}/events`,
    access: 'viewer',
    summary:
      'History, then live, as server-sent events; resumes after Last-Event-ID, 204 when nothing follows. ' +
      'format=ndjson exports what is recorded, one event a line',
    query: z.strictObject({
      format: z.enum(['sse', 'ndjson']).default('sse'),
      /** A position, as in Last-Event-ID; the header takes precedence. */
      after: z.number().int().min(0).max(POSITION_MAX).default(0),
      /**
       * Also sends the output of models as it is generated, as `model.output.delta` without an id: live only, dropped for a
       * slow reader, and never in an export.
       */
      deltas: z.boolean().default(false),
    }),
    response: 'event_stream',
    status: 200,
    also: { 204: 'The run has ended and nothing follows: do not reconnect' },
  }),
  ranking: route({
    method: 'GET',
    path: `${path}/ranking`,
    access: 'viewer',
    summary: 'The ranking of a run',
    response: scorecards.ranking.output,
    status: 200,
  }),
  failures: route({
    method: 'GET',
    path: `${path}/failures`,
    access: 'viewer',
    summary:
      'Why attempts of a ranked run did not pass: one item for each agent, case and reason, most frequent first',
    query: queryOf(scorecards.failures.input, 'workspace_id', 'run_id'),
    response: scorecards.failures.output,
    status: 200,
  }),
};

export const evalPlanRoutes = {
  make: route({
    method: 'POST',
    path: '/v1/workspaces/{ws}/eval-plans',
    access: 'viewer',
    summary:
      'Plan a race before it is started: the cases that a difference takes, with all cases or stopped early, and their cost and time by earlier runs',
    body: EvalPlanRequest,
    response: EvalPlan,
    status: 200,
  }),
};
