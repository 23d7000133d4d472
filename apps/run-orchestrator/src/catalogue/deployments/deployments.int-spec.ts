import {
  artifactUsers,
  type DeploymentSpec,
  deployments,
  modelAliases,
  profiles,
  providerAccounts,
} from '@agentclash/contracts';
import { publish, wordPack } from '@agentclash/run-rules/testing/published-pack';
import { newId } from '@agentclash/service-kit';
import { describe, expect, test } from '@jest/globals';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';

const fixture = await openOrchestrator();
const { fakes, workspaceId: workspace_id } = fixture;

const actor = 'tests';

const create = (spec: DeploymentSpec) => fixture.bus.call(deployments.create, { workspace_id, spec, actor });
const update = (deployment_id: string, spec: DeploymentSpec) =>
  fixture.bus.call(deployments.update, { workspace_id, deployment_id, spec, actor });
const scripted = (name: string, text = 'a'): DeploymentSpec => ({
  name,
  kind: 'scripted',
  config: { steps: [{ answer: text }], stop_on_error: false },
});

describe('deployments', () => {
  test('deployments get a new revision only when their spec differs', async () => {
    const { id } = await create(scripted('revised'));
    expect(await update(id, scripted('revised'))).toMatchObject({
      applied: 'unchanged',
      deployment: { revision: 1 },
    });
    expect(await update(id, scripted('revised', 'b'))).toMatchObject({
      applied: 'revised',
      deployment: { revision: 2, config: { steps: [{ answer: 'b' }] } },
    });
  });

  test('deployments have unique names while they are active, also under concurrent requests', async () => {
    const made = await Promise.allSettled([1, 2, 3, 4].map(() => create(scripted('only'))));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const other = await create(scripted('another'));
    await expect(update(other.id, scripted('only'))).rejects.toMatchObject({ code: 'conflict' });
    const { items } = await fixture.bus.call(deployments.list, { workspace_id, name: 'only' });
    const deployment_id = items[0]?.id ?? '';
    const archived = await fixture.bus.call(deployments.archive, { workspace_id, deployment_id });
    expect(archived.status).toBe('archived');
    expect(await create(scripted('only'))).toMatchObject({ revision: 1, status: 'active' });
    await expect(update(deployment_id, scripted('x'))).rejects.toMatchObject({ code: 'conflict' });
  });

  test('deployments with a secret that is bound to nothing are saved with a warning', async () => {
    fixture.fakes.unboundSecrets.add('FREE');
    const endpoint = (key: string): DeploymentSpec => ({
      name: 'calls out',
      kind: 'endpoint',
      config: { url: 'https://agent.example.com/', credential_reference: `workspace-secret://${key}` },
    });
    const warnings = [
      { code: 'secret_unbound', message: expect.stringContaining('the secret FREE is bound to no origin') },
    ];
    const created = await create(endpoint('FREE'));
    expect(created).toMatchObject({ status: 'active', warnings });
    expect(await update(created.id, endpoint('FREE'))).toMatchObject({
      applied: 'unchanged',
      deployment: { warnings },
    });
    expect((await update(created.id, endpoint('BOUND'))).deployment).not.toHaveProperty('warnings');
    const account = await fixture.bus.call(providerAccounts.create, {
      workspace_id,
      spec: { name: 'shared', provider_key: 'openai', credential_reference: 'workspace-secret://FREE' },
      actor,
    });
    const spec = { name: 'fast', provider_account_id: account.id, model: 'm' };
    await fixture.bus.call(modelAliases.create, { workspace_id, spec, actor });
    for (const config of [{ model_alias: 'fast' }, { provider_account_id: account.id, model: 'm' }]) {
      const name = Object.keys(config).join();
      expect(await create({ name, kind: 'model', config })).toMatchObject({ warnings });
    }
  });

  test('Servers of tools are checked when a deployment is saved, and their unbound secrets are warned of', async () => {
    const tickets = {
      name: 'tickets',
      url: 'https://tickets.example.com/mcp',
      headers: { 'X-Key': '${secrets.FREE}' },
    };
    const agent = (name: string, ...mcp_servers: object[]) =>
      ({ name, kind: 'program', config: { command: ['x'], mcp_servers } }) as DeploymentSpec;
    const created = await create(agent('with a server', tickets));
    expect(created).toMatchObject({
      config: { mcp_servers: [tickets] },
      warnings: [{ code: 'secret_unbound', message: expect.stringContaining('FREE') }],
    });
    const url = 'http://tickets.example.com/mcp';
    await expect(create(agent('over http', { ...tickets, url }))).rejects.toMatchObject({
      code: 'invalid_input',
      details: { errors: [{ code: 'secret_over_http', field: 'config.mcp_servers[0].url' }] },
    });
    const files = [{ path: 'a.py', artifact_id: newId() }];
    await expect(create(agent('without a file', { name: 'm', command: ['x'], files }))).rejects.toMatchObject(
      {
        code: 'not_found',
      },
    );
  });

  test('deployments name profiles and stored files that exist', async () => {
    const missing = { ...scripted('p'), runtime_profile_id: newId() };
    await expect(create(missing)).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringMatching(/runtime profile/),
    });
    const files = [{ path: 'a.py', artifact_id: newId() }];
    const program: DeploymentSpec = { name: 'f', kind: 'program', config: { command: ['x'], files } };
    await expect(create(program)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('a program with more files than its disk holds is refused, and one with the largest files is not', async () => {
    const stored = () => {
      const id = newId();
      const file = { id, sha256: 'a'.repeat(64), bytes: 104_857_600, name: 'big', media_type: null };
      fixture.fakes.artifacts.set(id, { ...file, created_at: new Date().toISOString(), created_by: 'tests' });
      return id;
    };
    const program = (name: string, count: number): DeploymentSpec => {
      const files = Array.from({ length: count }, (_, n) => ({ path: `${n}.bin`, artifact_id: stored() }));
      return { name, kind: 'program', config: { command: ['x'], files } };
    };
    expect(await create(program('two large files', 2))).toMatchObject({ status: 'active' });
    await expect(create(program('three large files', 3))).rejects.toMatchObject({
      code: 'invalid_input',
      details: {
        errors: [
          {
            code: 'too_large',
            field: 'config.files',
            message: 'take 300 MiB together; the files of a program may take 240 MiB',
          },
        ],
      },
    });
  });

  test('A preset without a place for skills or a command for ACP, and too many files, are refused with the field', async () => {
    const account = await fixture.bus.call(providerAccounts.create, {
      workspace_id,
      spec: { name: 'of skills', provider_key: 'openai', credential_reference: 'workspace-secret://FREE' },
      actor,
    });
    const alias = { name: 'skilled', provider_account_id: account.id, model: 'm' };
    await fixture.bus.call(modelAliases.create, { workspace_id, spec: alias, actor });
    const skill = (name: string, count = 1) => ({
      name,
      files: Array.from({ length: count }, (_, n) => ({
        path: n === 0 ? 'SKILL.md' : `${n}.md`,
        artifact_id: storedFile(),
      })),
    });
    const agent = (preset: string, skills: ReturnType<typeof skill>[]): DeploymentSpec => ({
      name: `${preset} with skills`,
      kind: 'program',
      config: { preset, models: { main: 'skilled' }, skills },
    });
    const problemWith = (field: string, message: string) => ({
      code: 'invalid_input',
      details: { errors: [expect.objectContaining({ field, message })] },
    });
    await expect(create(agent('gemini-cli', [skill('a')]))).rejects.toMatchObject(
      problemWith('config.skills', 'is for a preset with a place for skills, which gemini-cli does not have'),
    );
    const many = ['a', 'b', 'c'].map((name) => skill(name, 400));
    await expect(create(agent('codex', many))).rejects.toMatchObject(
      problemWith(
        'config.files',
        'are 1200 with those of its skills and servers; a deployment may have 1000',
      ),
    );
    expect(await create(agent('codex', [skill('a')]))).toMatchObject({ status: 'active' });
    const byAcp: DeploymentSpec = {
      name: 'by ACP',
      kind: 'program',
      config: { preset: 'codex', protocol: 'acp', models: { main: 'skilled' } },
    };
    await expect(create(byAcp)).rejects.toMatchObject(
      problemWith(
        'config.protocol',
        'is for a preset with a command for ACP (its member acp), which codex does not have; presets of this release that have one: gemini-cli, opencode, qwen-code',
      ),
    );
  });

  test('deployments belong to their workspace', async () => {
    const { id: deployment_id } = await create(scripted('private'));
    const stranger = { workspace_id: newId(), deployment_id };
    await expect(fixture.bus.call(deployments.get, stranger)).rejects.toMatchObject({ code: 'not_found' });
    await expect(fixture.bus.call(deployments.archive, stranger)).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('runtime profiles', () => {
  test('runtime profiles are revised by their differences, and kept while a deployment uses them', async () => {
    const spec = { name: 'small', max_iterations: 3, sandbox: { memory_bytes: 33_554_432 } };
    const { id: profile_id } = await fixture.bus.call(profiles.create, { workspace_id, spec });
    await expect(fixture.bus.call(profiles.create, { workspace_id, spec })).rejects.toMatchObject({
      code: 'conflict',
    });
    const revise = (next: typeof spec) =>
      fixture.bus.call(profiles.update, { workspace_id, profile_id, spec: next });
    expect((await revise(spec)).applied).toBe('unchanged');
    expect(await revise({ ...spec, max_iterations: 4 })).toMatchObject({
      applied: 'revised',
      profile: { max_iterations: 4, sandbox: { memory_bytes: 33_554_432 } },
    });
    await create({ ...scripted('user'), runtime_profile_id: profile_id });
    const remove = () => fixture.bus.call(profiles.remove, { workspace_id, profile_id });
    await expect(remove()).rejects.toMatchObject({ code: 'conflict', details: { deployments: ['user'] } });
    const { id } = await fixture.bus.call(profiles.create, { workspace_id, spec: { name: 'unused' } });
    await fixture.bus.call(profiles.remove, { workspace_id, profile_id: id });
    const { items } = await fixture.bus.call(profiles.list, { workspace_id });
    expect(items.map(({ name }) => name)).toEqual(['small']);
  });
});

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
  fixture.bus.call(deployments.create, { workspace_id, spec, actor: 'tests' });
const usersOf = async (artifact_id: string, workspace = workspace_id) =>
  (await fixture.bus.call(artifactUsers.list, { workspace_id: workspace, artifact_id })).items;

describe('users of a stored file', () => {
  test('users of a stored file are the active deployments whose program has it, of the workspace alone', async () => {
    const file = storedFile();
    expect(await usersOf(file)).toEqual([]);
    const { id } = await deploy(program('has it', file));
    await deploy(program('has another', storedFile()));
    expect(await usersOf(file)).toEqual([{ kind: 'deployment', id, name: 'has it' }]);
    expect(await usersOf(file, newId())).toEqual([]);
    await fixture.bus.call(deployments.archive, { workspace_id, deployment_id: id });
    expect(await usersOf(file)).toEqual([]);
  });

  test('users of a stored file are the runs that pinned it, whatever became of the deployment', async () => {
    const file = storedFile();
    const deployment = await deploy(program('pinned', file));
    const pack = fakes.add(publish(wordPack(1)));
    const run = await fixture.createRun(pack.version.id, [deployment], { name: 'of yesterday' });
    await fixture.bus.call(deployments.archive, { workspace_id, deployment_id: deployment.id });
    expect(await usersOf(file)).toEqual([{ kind: 'run', id: run.id, name: 'of yesterday' }]);
  });
});
