import {
  Baseline,
  BaselineName,
  BaselineScope,
  BaselineSpec,
  baselines,
  comparisons,
  RunComparison,
  StoredComparison,
} from '@agentclash/contracts';
import { queryOf } from './list-query.js';
import { route } from './route.js';

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
    conflicts: 'One of them is the run of a draft',
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
    summary: 'Baselines, by name, pack and input set',
    query: queryOf(baselines.list.input, 'workspace_id'),
    response: baselines.list.output,
    status: 200,
  }),
  get: route({
    method: 'GET',
    path: baselinePath,
    access: 'viewer',
    summary: 'The run that a baseline names; pack and input_set choose one where several have the name',
    params,
    query: BaselineScope,
    response: Baseline,
    status: 200,
  }),
  set: route({
    method: 'PUT',
    path: baselinePath,
    access: 'member',
    summary:
      'Set a baseline to a completed run and one of its agents, among the runs of its pack and input set',
    params,
    body: BaselineSpec,
    response: baselines.set.output,
    status: 200,
    conflicts: 'No gate could decide against the run, or the baseline names another run than `replaces`',
  }),
  remove: route({
    method: 'DELETE',
    path: baselinePath,
    access: 'member',
    summary: 'Delete a baseline; its run stays',
    params,
    query: BaselineScope,
    response: 'none',
    status: 204,
  }),
};
