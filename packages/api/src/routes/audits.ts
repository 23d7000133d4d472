import { AuditOptions, AuditPolicySpec, audits, PackAudit } from '@agentclash/contracts';
import { queryOf } from './list-query.js';
import { route } from './route.js';

const auditsPath = '/v1/workspaces/{ws}/challenge-pack-versions/{version_id}/audits';
const policyPath = '/v1/workspaces/{ws}/audit-policy';

export const auditRoutes = {
  create: route({
    method: 'POST',
    path: auditsPath,
    access: 'member',
    summary:
      'Audit a version in sandboxes without a network: solutions, agents that do no work, cheats, mutants; 200 with the audit that is under way, where there is one',
    body: AuditOptions,
    response: PackAudit,
    status: 201,
    conflicts: 'An audit of the version with other options is under way, or too many wait in the workspace',
    also: { 200: 'The audit of the version that is under way' },
    creates: true,
  }),
  list: route({
    method: 'GET',
    path: auditsPath,
    access: 'viewer',
    summary: 'Audits of a version, newest first',
    query: queryOf(audits.list.input, 'workspace_id', 'version_id'),
    response: audits.list.output,
    status: 200,
  }),
  get: route({
    method: 'GET',
    path: `${auditsPath}/{audit_id}`,
    access: 'viewer',
    summary: 'One audit with its progress, and with its report when it has completed',
    response: audits.get.output,
    status: 200,
  }),
  cancel: route({
    method: 'DELETE',
    path: `${auditsPath}/{audit_id}`,
    access: 'member',
    summary: 'Cancel an audit that is queued or running; the record stays',
    response: PackAudit,
    status: 200,
    conflicts: 'The audit has completed or failed',
  }),
};

export const auditPolicyRoutes = {
  get: route({
    method: 'GET',
    path: policyPath,
    access: 'viewer',
    summary: 'The audit that the workspace requires of the versions that it runs',
    response: audits.policy.output,
    status: 200,
  }),
  set: route({
    method: 'PUT',
    path: policyPath,
    access: 'admin',
    summary: 'Set whether runs may only be created of versions that have passed their newest audit',
    body: AuditPolicySpec,
    response: audits.setPolicy.output,
    status: 200,
  }),
};
