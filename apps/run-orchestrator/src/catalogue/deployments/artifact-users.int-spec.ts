import { artifactUsers, type DeploymentSpec, deployments } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { describe, expect, test } from '@jest/globals';
import { publish, wordPack } from '../../testing/published-pack.js';
import { openStage } from '../../testing/stage.js';

const stage = await openStage();
const { fakes, workspaceId: workspace_id } = stage;

const program = (name: string, artifact_id: string): DeploymentSpec => ({
  name,
  kind: 'program',
  config: { command: ['x'], env: { ODD: 'a\u0000b' }, files: [{ path: 'a.py', artifact_id }] },
});
const storedFile = () => {
  const id = newId();
  const file = { id, sha256: 'a'.repeat(64), bytes: 7, name: 'a.py', media_type: null };
  fakes.artifacts.set(id, { ...file, created_at: new Date().toISOString(), created_by: 'tests' });
  return id;
};
const deploy = (spec: DeploymentSpec) =>
  stage.bus.call(deployments.create, { workspace_id, spec, actor: 'tests' });
const usersOf = async (artifact_id: string, workspace = workspace_id) =>
  (await stage.bus.call(artifactUsers.list, { workspace_id: workspace, artifact_id })).items;

describe('users of a stored file', () => {
  test('are the active deployments whose program has it, of the workspace alone', async () => {
    const file = storedFile();
    expect(await usersOf(file)).toEqual([]);
    const { id } = await deploy(program('has it', file));
    await deploy(program('has another', storedFile()));
    expect(await usersOf(file)).toEqual([{ kind: 'deployment', id, name: 'has it' }]);
    expect(await usersOf(file, newId())).toEqual([]);
    await stage.bus.call(deployments.archive, { workspace_id, deployment_id: id });
    expect(await usersOf(file)).toEqual([]);
  });

  test('are the runs that pinned it, whatever became of the deployment', async () => {
    const file = storedFile();
    const deployment = await deploy(program('pinned', file));
    const pack = fakes.add(publish(wordPack(1)));
    const run = await stage.createRun(pack.version.id, [deployment], { name: 'of yesterday' });
    await stage.bus.call(deployments.archive, { workspace_id, deployment_id: deployment.id });
    expect(await usersOf(file)).toEqual([{ kind: 'run', id: run.id, name: 'of yesterday' }]);
  });
});
