import { Applied, Deployment, DeploymentSpec, deployments, SavedDeployment } from '@agentclash/contracts';
import { queryOf } from '../list-query.js';
import { route } from '../route.js';

const path = '/v1/workspaces/{ws}/deployments';

export const deploymentRoutes = {
  create: route({
    method: 'POST',
    path,
    access: 'member',
    summary: 'Create a deployment: a runnable agent',
    body: DeploymentSpec,
    response: SavedDeployment,
    status: 201,
    conflicts: 'The name is taken',
    creates: true,
  }),
  list: route({
    method: 'GET',
    path,
    access: 'viewer',
    summary: 'Deployments, newest first',
    query: queryOf(deployments.list.input, 'workspace_id'),
    response: deployments.list.output,
    status: 200,
  }),
  get: route({
    method: 'GET',
    path: `${path}/{deployment_id}`,
    access: 'viewer',
    summary: 'One deployment',
    response: Deployment,
    status: 200,
  }),
  update: route({
    method: 'PUT',
    path: `${path}/{deployment_id}`,
    access: 'member',
    summary: 'Create a new revision; runs keep the snapshot they were created with',
    body: DeploymentSpec,
    response: SavedDeployment.extend({ applied: Applied }),
    status: 200,
    conflicts: 'The name is taken, or the deployment is archived',
  }),
  archive: route({
    method: 'DELETE',
    path: `${path}/{deployment_id}`,
    access: 'member',
    summary: 'Archive a deployment',
    response: 'none',
    status: 204,
  }),
};
