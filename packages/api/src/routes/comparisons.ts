import {
  Baseline,
  BaselineName,
  BaselineSpec,
  baselines,
  comparisons,
  RunComparison,
  StoredComparison,
} from '@agentclash/contracts';
import { queryOf } from '../list-query.js';
import { route } from '../route.js';

const workspacePath = '/v1/workspaces/{ws}';
const baselinePath = `${workspacePath}/baselines/{name}` as const;
const params = { name: BaselineName };

export const comparisonRoutes = {
  compare: route({
    method: 'GET',
    path: `${workspacePath}/compare`,
    access: 'viewer',
    summary:
      'Compare two runs case by case: better, worse or inconclusive, for overall, passing and each dimension',
    query: queryOf(comparisons.compare.input, 'workspace_id'),
    response: RunComparison,
    status: 200,
  }),
  get: route({
    method: 'GET',
    path: `${workspacePath}/comparisons/{comparison_id}`,
    access: 'viewer',
    summary: 'The comparison behind a decision of a gate, as it was then',
    response: StoredComparison,
    status: 200,
  }),
};

export const baselineRoutes = {
  list: route({
    method: 'GET',
    path: `${workspacePath}/baselines`,
    access: 'viewer',
    summary: 'Baselines, by name',
    query: queryOf(baselines.list.input, 'workspace_id'),
    response: baselines.list.output,
    status: 200,
  }),
  get: route({
    method: 'GET',
    path: baselinePath,
    access: 'viewer',
    summary: 'The run that a baseline stands for',
    params,
    response: Baseline,
    status: 200,
  }),
  set: route({
    method: 'PUT',
    path: baselinePath,
    access: 'member',
    summary: 'Let a name stand for a run that is over, and for one of its agents',
    params,
    body: BaselineSpec,
    response: Baseline,
    status: 200,
    conflicts: 'The run is not over',
  }),
  remove: route({
    method: 'DELETE',
    path: baselinePath,
    access: 'member',
    summary: 'Forget a baseline; its run stays',
    params,
    response: 'none',
    status: 204,
  }),
};
