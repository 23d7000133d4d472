import {
  Applied,
  DefaultGatePolicy,
  GateDecision,
  GatePolicy,
  GatePolicySpec,
  GatePreview,
  GateRequest,
  gatePolicies,
  gates,
} from '@agentclash/contracts';
import { queryOf } from './list-query.js';
import { resourceRoutes } from './resource.js';
import { route } from './route.js';

const policyRoutes = resourceRoutes({
  path: 'gate-policies',
  id: 'gate_policy_id',
  writer: 'admin',
  spec: GatePolicySpec,
  resource: GatePolicy,
  changed: GatePolicy.extend({ applied: Applied }),
  query: queryOf(gatePolicies.list.input, 'workspace_id'),
  list: gatePolicies.list.output,
  isReferredTo: false,
  summaries: {
    create: 'Create a gate policy: what a release must not lose against its baseline',
    list: 'The newest version of each gate policy, newest policy first',
    get: 'One gate policy, its newest version',
    update: 'Add a version to a gate policy, unless it equals the newest one',
    remove: 'Delete a gate policy; its decisions stay',
  },
});

export const gatePolicyRoutes = {
  ...policyRoutes,
  getDefault: route({
    method: 'GET',
    path: '/v1/workspaces/{ws}/default-gate-policy',
    access: 'viewer',
    summary: 'The policy of gates that name none: the stored one called default, else the built-in one',
    response: DefaultGatePolicy,
    status: 200,
  }),
};

export const gateRoutes = {
  evaluate: route({
    method: 'POST',
    path: '/v1/workspaces/{ws}/gates/evaluate',
    access: 'member',
    summary:
      'Decide whether a run may replace its baseline, and store the comparison and the policy behind the decision',
    body: GateRequest,
    response: GateDecision,
    status: 200,
    creates: true,
  }),
  preview: route({
    method: 'POST',
    path: '/v1/workspaces/{ws}/gates/preview',
    access: 'viewer',
    summary: 'The decision that a gate would make now, with the comparison behind it; nothing is stored',
    body: GateRequest,
    response: GatePreview,
    status: 200,
    conflicts: 'A side is the run of a draft',
  }),
  list: route({
    method: 'GET',
    path: '/v1/workspaces/{ws}/gate-decisions',
    access: 'viewer',
    summary: 'Decisions of gates, about one candidate or about all, newest first',
    query: queryOf(gates.list.input, 'workspace_id'),
    response: gates.list.output,
    status: 200,
  }),
};
