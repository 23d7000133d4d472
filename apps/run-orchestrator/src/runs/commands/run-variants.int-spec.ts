import { artifactUsers, type DeploymentSpec, deployments, runs } from '@agentclash/contracts';
import { publish, wordPack } from '@agentclash/run-rules/testing/published-pack';
import { newId } from '@agentclash/service-kit';
import { expect, test } from '@jest/globals';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';

const fixture = await openOrchestrator();
const { fakes, workspaceId: workspace_id } = fixture;
const pack = fakes.add(publish(wordPack(2)));

const create = (spec: DeploymentSpec) =>
  fixture.bus.call(deployments.create, { workspace_id, spec, actor: 'tests' });
const lanes = async (run_id: string) => (await fixture.bus.call(runs.agents, { workspace_id, run_id })).items;
const fixed = (name: string): DeploymentSpec => ({
  name,
  kind: 'scripted',
  config: { steps: [{ message: 'a' }], stop_on_error: false },
  variants: { bare: {}, helped: { steps: [{ message: 'b' }] }, same: { steps: [{ message: 'a' }] } },
  baseline: 'bare',
});

test('A run has a lane for each variant, with its deployment, variant and baseline', async () => {
  const deployment = await create(fixed('fixed'));
  expect(deployment).toMatchObject({
    variants: { bare: {}, helped: { steps: [{ message: 'b' }] } },
    baseline: 'bare',
    warnings: [{ code: 'variant_unchanged', message: expect.stringContaining('"same"') }],
  });
  const plain = await fixture.scripted('plain');
  const run = await fixture.createRun(pack.version.id, [deployment, plain]);
  expect(run.progress.total).toBe(8);
  const variant = (name: string) => ({ deployment: 'fixed', name, baseline: 'bare' });
  expect(await lanes(run.id)).toMatchObject([
    { name: 'fixed (bare)', deployment_id: deployment.id, variant: variant('bare') },
    { name: 'fixed (helped)', deployment_id: deployment.id, variant: variant('helped') },
    { name: 'fixed (same)', deployment_id: deployment.id, variant: variant('same') },
    { name: 'plain', deployment_id: plain.id },
  ]);
  const { items } = await fixture.bus.call(runs.list, { workspace_id, deployment: 'fixed' });
  expect(items.map(({ id }) => id)).toEqual([run.id]);
});

test('A variant whose members are all empty is equal to its baseline', async () => {
  const empty: DeploymentSpec = {
    name: 'empty',
    kind: 'scripted',
    config: { steps: [], stop_on_error: false },
    variants: { bare: {}, none: { by_case: {} } },
    baseline: 'bare',
  };
  expect(await create(empty)).toMatchObject({ warnings: [{ code: 'variant_unchanged' }] });
});

test('A run of chosen variants has only these, and a warning without their baseline', async () => {
  const deployment = await create(fixed('chosen'));
  const run = await fixture.createRun(pack.version.id, [deployment], { variants: ['helped'] });
  expect((await lanes(run.id)).map(({ name }) => name)).toEqual(['chosen (helped)']);
  expect(run.warnings.map(({ code }) => code)).toContain('baseline_not_chosen');
  await expect(
    fixture.createRun(pack.version.id, [deployment], { variants: ['helpd'] }),
  ).rejects.toMatchObject({
    code: 'not_found',
    details: { errors: [{ field: 'variants[0]', suggestion: 'helped' }] },
  });
});

test('A deployment with equal variants is unchanged, and one with others is revised', async () => {
  const { id: deployment_id } = await create(fixed('revised'));
  const update = (spec: DeploymentSpec) =>
    fixture.bus.call(deployments.update, { workspace_id, deployment_id, spec, actor: 'tests' });
  expect((await update(fixed('revised'))).applied).toBe('unchanged');
  expect(await update({ ...fixed('revised'), baseline: 'helped' })).toMatchObject({
    applied: 'revised',
    deployment: { revision: 2, baseline: 'helped' },
  });
  const { variants: _variants, baseline: _baseline, ...plain } = fixed('revised');
  const { deployment } = await update(plain);
  expect(deployment).not.toHaveProperty('variants');
  expect(deployment).not.toHaveProperty('baseline');
});

test('Files of a variant are in use by its deployment, and an invalid one is refused with its field', async () => {
  const artifact_id = newId();
  const at = new Date().toISOString();
  const file = { id: artifact_id, sha256: 'a'.repeat(64), bytes: 7, name: 'a.py', media_type: null };
  fakes.artifacts.set(artifact_id, { ...file, created_at: at, created_by: 'tests' });
  const program = (name: string, changes: object): DeploymentSpec => ({
    name,
    kind: 'program',
    config: { command: ['x'] },
    variants: { bare: {}, with: changes },
    baseline: 'bare',
  });
  const { id } = await create(program('with a file', { files: [{ path: 'a.py', artifact_id }] }));
  const { items } = await fixture.bus.call(artifactUsers.list, { workspace_id, artifact_id });
  expect(items).toMatchObject([{ kind: 'deployment', id }]);
  await expect(create(program('invalid', { env: { AGENTCLASH_TASK: 'x' } }))).rejects.toMatchObject({
    message: expect.stringMatching(/^Variant "with": /),
    details: { errors: [expect.objectContaining({ field: expect.stringMatching(/^variants\.with\.env/) })] },
  });
});
