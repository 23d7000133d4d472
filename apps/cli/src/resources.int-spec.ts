import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { routes } from '@agentclash/api';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { command, emptyFolder } from './testing/command.js';
import { deployment } from './testing/factories.js';
import { useFakeApi } from './testing/fake-api.js';

const { api, env } = useFakeApi();

const AT = '2026-03-01T12:00:00.000Z';
const stored = <Body extends object>(body: Body) => ({
  ...body,
  id: randomUUID(),
  created_at: AT,
  updated_at: AT,
});
const page = <Item extends { name: string }>(items: Item[], name: string | null) => ({
  items: items.filter((item) => name === null || item.name === name),
  next_cursor: null,
});
const local = stored({
  name: 'local',
  provider_key: 'openai_compatible' as const,
  base_url: 'http://127.0.0.1:11434/v1',
});
const fast = stored({ name: 'fast', provider_account_id: local.id, model: 'qwen3' });
const short = stored({ name: 'short', max_iterations: 10 });
const mock = { implementation: { mode: 'mock' as const, mock: { response: 1 } } };
const lookupTool = stored({
  ...{ name: 'faq', tool_kind: 'primitive' as const, definition: mock },
  lifecycle_status: 'active' as const,
});
const artifact = { sha256: '00', bytes: 9, name: 'solve.py', media_type: null, created_by: 'test' };

/** A workspace with an account, an alias, a profile and a tool, which accepts whatever is written. */
beforeEach(() => {
  api.reset();
  api.on(routes.providerAccounts.list, ({ query }) => page([local], query.get('name')));
  api.on(routes.modelAliases.list, ({ query }) => page([fast], query.get('name')));
  api.on(routes.profiles.list, ({ query }) => page([short], query.get('name')));
  api.on(routes.tools.list, ({ query }) => page([lookupTool], query.get('name')));
  api.on(routes.deployments.list, () => ({ items: [], next_cursor: null }));
  api.on(routes.providerAccounts.create, ({ body }) => {
    const { api_key: _key, ...account } = JSON.parse(body);
    return stored(account);
  });
  api.on(routes.modelAliases.create, ({ body }) => stored(JSON.parse(body)));
  api.on(routes.deployments.create, ({ body }) => deployment(JSON.parse(body).name));
  api.on(routes.artifacts.upload, () => ({ ...artifact, id: randomUUID(), created_at: AT }));
  api.on(routes.profiles.update, () => ({ ...short, applied: 'unchanged' as const }));
});

const run = (words: string[], options: { cwd?: string; stdin?: string } = {}) =>
  command(words, { env, ...options });
const written = () => api.seen.filter(({ method }) => method !== 'GET');
const withoutIds = (text: string) =>
  text
    .replace(/ {2}[0-9a-f-]{36}$/gm, '')
    .trimEnd()
    .split('\n');

const FILE = `
provider_accounts: [{name: cloud, provider_key: openai, credential_reference: "workspace-secret://OPENAI"}]
model_aliases: [{name: smart, provider_account: cloud, model: gpt}]
runtime_profiles: [{name: short, max_iterations: 10}]
deployments:
  - {name: llm, kind: model, runtime_profile: short, config: {model_alias: smart, tools: [faq]}}
  - {name: solver, kind: program, config: {command: [python3, /agent/solve.py], files: [{path: solve.py, from: solve.py}]}}
`;

function folderWith(text: string): string {
  const cwd = emptyFolder();
  writeFileSync(path.join(cwd, 'agents.yaml'), text);
  return cwd;
}

describe('provider-account test', () => {
  const report = { ok: true, model: 'qwen3', response_model: 'qwen3:8b', latency_ms: 40, error: null };

  test('the test of an account reports that a model responds', async () => {
    api.on(routes.providerAccounts.test, () => report);
    const { code, stdout } = await run(['provider-account', 'test', 'local', '--model', 'qwen3']);
    expect([code, stdout]).toEqual([0, 'local: qwen3: OK, 40 ms (as qwen3:8b)\n']);
    expect(JSON.parse(written()[0]?.body ?? '')).toEqual({ model: 'qwen3' });
  });

  test('the test of an account reports why no model responds, and does not exit 0', async () => {
    const error = { class: 'auth', message: 'the credential was refused' };
    api.on(routes.providerAccounts.test, () => ({ ...report, ok: false, response_model: null, error }));
    const { code, stdout } = await run(['provider-account', 'test', 'local', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ name: 'local', ok: false, error });
    const plain = await run(['provider-account', 'test', 'local']);
    expect(plain.stdout).toBe('local: qwen3 failed: auth: the credential was refused\n');
  });
});

describe('deployment create', () => {
  test('deployment create shows the warnings of the server', async () => {
    const cwd = folderWith('deployments: [{name: solver, kind: endpoint, config: {url: "https://a.test/"}}]');
    const warnings = [{ code: 'secret_unbound', message: 'the secret K is bound to no origin' }];
    api.on(routes.deployments.create, ({ body }) => ({ ...deployment(JSON.parse(body).name), warnings }));
    const { code, stderr } = await run(['deployment', 'create', '-f', 'agents.yaml'], { cwd });
    expect([code, stderr]).toEqual([0, expect.stringContaining('secret_unbound: the secret K is bound')]);
    const json = await run(['deployment', 'create', '-f', 'agents.yaml', '--json'], { cwd });
    expect(JSON.parse(json.stdout)).toMatchObject({ items: [{ name: 'solver', warnings }] });
  });

  test('deployment create creates all resources of a file, in order, with ids for names and artifacts for files', async () => {
    const cwd = folderWith(FILE);
    writeFileSync(path.join(cwd, 'solve.py'), 'print(6)\n');
    const solver = deployment('solver', { kind: 'program', revision: 3 });
    api.on(routes.deployments.list, ({ query }) => page([solver], query.get('name')));
    api.on(routes.deployments.update, () => ({ ...solver, revision: 4, applied: 'revised' as const }));
    const { code, stdout } = await run(['deployment', 'create', '-f', 'agents.yaml'], { cwd });
    expect(withoutIds(stdout)).toEqual([
      'created   provider account cloud',
      'created   model alias smart',
      'unchanged runtime profile short',
      'created   deployment llm',
      'revised   deployment solver',
    ]);
    expect(code).toBe(0);
    expect(written().map(({ method }) => method)).toEqual(['POST', 'POST', 'PUT', 'POST', 'POST', 'PUT']);
    const [account, alias, , llm, upload, revision] = written().map(({ body }) => body);
    expect(JSON.parse(account ?? '')).toMatchObject({ credential_reference: 'workspace-secret://OPENAI' });
    expect(JSON.parse(alias ?? '').provider_account_id).toMatch(/^(?!0{8})[0-9a-f-]{36}$/);
    expect(JSON.parse(llm ?? '')).toEqual({
      name: 'llm',
      kind: 'model',
      runtime_profile_id: short.id,
      config: { model_alias: 'smart', tools: [lookupTool.id] },
    });
    expect(upload).toContain('print(6)');
    expect(JSON.parse(revision ?? '').config.files[0].artifact_id).toMatch(/^(?!0{8})[0-9a-f-]{36}$/);
  });

  test('the folder of a skill, a text and a preset beside the file become parts of the deployment', async () => {
    const cwd = folderWith(`
deployments:
  - name: coder
    kind: program
    config: {preset_file: mine.yaml, models: {main: fast}, instructions_file: AGENTS.md, skills: [./skills/brief]}
`);
    mkdirSync(path.join(cwd, 'skills/brief'), { recursive: true });
    writeFileSync(path.join(cwd, 'skills/brief/SKILL.md'), 'Be brief.');
    writeFileSync(path.join(cwd, 'AGENTS.md'), 'Run the tests.');
    const preset = { name: 'mine', title: 'Mine', wires: ['chat'], command: ['x'] };
    const skills = { directory: '{{home}}/.mine/skills' };
    writeFileSync(path.join(cwd, 'mine.yaml'), JSON.stringify({ ...preset, skills }));
    const { code, stdout } = await run(['deployment', 'create', '-f', 'agents.yaml'], { cwd });
    expect([code, withoutIds(stdout)]).toEqual([0, ['created   deployment coder']]);
    const [upload, created] = written().map(({ body }) => body);
    expect(upload).toContain('Be brief.');
    expect(JSON.parse(created ?? '').config).toMatchObject({
      preset: { ...preset, skills },
      instructions: 'Run the tests.',
      skills: [
        {
          name: 'brief',
          files: [{ path: 'SKILL.md', artifact_id: expect.stringMatching(/^(?!0{8})[0-9a-f-]{36}$/) }],
        },
      ],
    });
  });

  test('deployment create reports problems, missing files and unknown names with positions, and writes nothing', async () => {
    const cwd = folderWith(FILE.replace('max_iterations: 10', 'max_iteration: 10'));
    const refused = await run(['deployment', 'create', '-f', 'agents.yaml'], { cwd });
    expect(refused.code).toBe(64);
    expect(refused.stdout.split('\n')).toEqual([
      expect.stringMatching(/^agents\.yaml:4:34 error unknown_key runtime_profiles\[0\]\.max_iteration: /),
      expect.stringMatching(
        /^agents\.yaml:7:112 error unknown_reference deployments\[1\]\.config\.files\[0\]\.from: /,
      ),
      'invalid agents.yaml: 2 errors',
      '',
    ]);
    expect(written()).toEqual([]);
    const everything = FILE.replace('max_iterations: 10', 'max_iteration: 10').replace(
      'model_alias: smart',
      'model_alias: smrt',
    );
    const atOnce = await run(['deployment', 'create', '-f', 'agents.yaml'], { cwd: folderWith(everything) });
    expect(atOnce.stdout).toContain('there is no model alias "smrt"; did you mean smart?');
    expect(atOnce.stdout).toContain('invalid agents.yaml: 3 errors');
    const unknown = folderWith('deployments: [{name: a, kind: model, config: {model_alias: fsat}}]');
    const names = await run(['deployment', 'create', '-f', 'agents.yaml', '--json'], { cwd: unknown });
    expect(names.code).toBe(64);
    expect(JSON.parse(names.stdout)).toMatchObject({
      valid: false,
      errors: [
        { code: 'unknown_reference', field: 'deployments[0].config.model_alias', line: 1, column: 60 },
      ],
    });
    const preset = folderWith(
      'deployments: [{name: a, kind: scripted, config: {}}, {name: b, kind: program, config: {preset: claude, models: {main: smart}}}]',
    );
    const misspelt = await run(['deployment', 'create', '-f', 'agents.yaml'], { cwd: preset });
    expect(misspelt.stdout).toContain('there is no preset "claude"; did you mean claude-code?');
    expect(written()).toEqual([]);
  });

  test('a partly refused file creates the other resources, and reports the rest and where the problems are', async () => {
    const cwd = folderWith(FILE);
    writeFileSync(path.join(cwd, 'solve.py'), '');
    const errors = [{ code: 'not_unique', field: 'model', message: 'is odd' }];
    const problem = { status: 422, code: 'invalid_input', detail: 'No.', errors };
    api.fail(routes.modelAliases.create, problem);
    const { code, stdout } = await run(['deployment', 'create', '-f', 'agents.yaml'], { cwd });
    expect(code).toBe(64);
    expect(withoutIds(stdout)).toEqual([
      'created   provider account cloud',
      'failed    model alias smart',
      'unchanged runtime profile short',
      'not done  deployment llm',
      'created   deployment solver',
      'agents.yaml:3:63 error not_unique model_aliases[0].model: is odd',
    ]);
    const json = await run(['deployment', 'create', '-f', 'agents.yaml', '--json'], { cwd });
    expect(JSON.parse(json.stdout)).toMatchObject({
      items: [
        { resource: 'provider_account', applied: 'created' },
        { resource: 'model_alias', applied: 'failed' },
        { resource: 'runtime_profile', applied: 'unchanged' },
        { resource: 'deployment', name: 'llm', applied: 'not_done' },
        { resource: 'deployment', name: 'solver', applied: 'created' },
      ],
      errors: [{ code: 'not_unique', line: 3, column: 63 }],
    });
  });

  test('a deployment create that loses its server reports it, and ends as other commands do', async () => {
    const cwd = folderWith('model_aliases: [{name: new, provider_account: local, model: m}]');
    api.fail(routes.modelAliases.create, { status: 503, code: 'unavailable', detail: 'Away.' });
    const { code, stdout, stderr } = await run(['model-alias', 'create', '-f', 'agents.yaml'], { cwd });
    expect(code).toBe(69);
    expect(stdout).toBe('failed    model alias new\n');
    expect(stderr).toContain('Away.');
  });

  test('deployment create refuses a key in a file and does not repeat it', async () => {
    const cwd = folderWith('provider_accounts: [{name: a, provider_key: openai, api_key: sk-plain}]');
    const { code, stdout, stderr } = await run(['deployment', 'create', '-f', 'agents.yaml'], { cwd });
    expect(code).toBe(64);
    expect(stdout).toContain('agentclash secret set');
    expect(stdout + stderr).not.toContain('sk-plain');
  });

  test('deployment create keeps the stored key of an account', async () => {
    const reference = 'workspace-secret://PROVIDER_ACCOUNT_0199C1D000007000800000000000000A';
    const keyed = { ...local, credential_reference: reference };
    api.on(routes.providerAccounts.list, () => page([keyed], null));
    api.on(routes.providerAccounts.update, () => ({ ...keyed, applied: 'unchanged' as const }));
    const cwd = folderWith(`{name: local, provider_key: openai_compatible, base_url: "${local.base_url}"}`);
    const { stdout } = await run(['provider-account', 'create', '-f', 'agents.yaml'], { cwd });
    expect(withoutIds(stdout)).toEqual(['unchanged provider account local']);
    expect(JSON.parse(written()[0]?.body ?? '')).toMatchObject({ credential_reference: reference });
  });
});

describe('resources of a workspace', () => {
  test.each([
    ['provider-account', 'local', /^PROVIDER ACCOUNT +PROVIDER +URL .*\nlocal +openai_compatible +http/],
    ['model-alias', 'fast', /^MODEL ALIAS +MODEL .*\nfast +qwen3/],
    ['runtime-profile', 'short', /^RUNTIME PROFILE +SETS .*\nshort +max_iterations=10/],
    ['tool', 'faq', /^TOOL +KIND +STATUS .*\nfaq +primitive +active/],
  ])('resources of kind %s are listed, shown and deleted by name', async (noun, name, rows) => {
    for (const group of [routes.providerAccounts, routes.modelAliases, routes.profiles, routes.tools]) {
      api.on(group.remove, () => undefined);
    }
    api.on(routes.providerAccounts.get, () => local);
    expect((await run([noun, 'list'])).stdout).toMatch(rows);
    const shown = await run([noun, 'show', name]);
    expect(shown.stdout).toMatch(new RegExp(`^name +${name}$`, 'm'));
    const removed = await run([noun, 'delete', name, '--json']);
    expect(JSON.parse(removed.stdout)).toMatchObject({ name, deleted: true });
    expect(written()).toMatchObject([{ method: 'DELETE' }]);
    const missing = await run([noun, 'show', `${name}x`]);
    expect(missing.code).toBe(66);
    expect(missing.stderr).toContain(name);
  });

  test('the show command names the resources that an entry refers to', async () => {
    api.on(routes.providerAccounts.get, () => local);
    expect((await run(['model-alias', 'show', 'fast'])).stdout).toMatch(/^provider account +local$/m);
  });

  test('resources that are still in use are kept, and the refusal names their users', async () => {
    api.fail(routes.providerAccounts.remove, {
      ...{ status: 409, code: 'conflict', detail: 'The alias fast uses it.' },
    });
    const { code, stderr } = await run(['provider-account', 'delete', 'local']);
    expect(code).toBe(64);
    expect(stderr).toContain('The alias fast uses it.');
  });
});

describe('provider-account create', () => {
  test('provider-account create takes a key from standard input and sends it to the server only', async () => {
    const words = ['provider-account', 'create', '--name', 'cloud', '--provider', 'openai', '--api-key'];
    const { code, stdout, stderr } = await run(words, { stdin: 'sk-plain-1\n' });
    expect(code).toBe(0);
    expect(JSON.parse(written()[0]?.body ?? '')).toEqual({
      ...{ name: 'cloud', provider_key: 'openai', api_key: 'sk-plain-1' },
    });
    expect(stdout + stderr).not.toContain('sk-plain');
    expect(withoutIds(stdout)).toEqual(['created   provider account cloud']);
  });

  test('an update of an account changes only the given fields', async () => {
    api.on(routes.providerAccounts.update, () => ({ ...local, applied: 'revised' as const }));
    await run(['provider-account', 'create', '--name', 'local', '--credential', 'KEY']);
    expect(JSON.parse(written()[0]?.body ?? '')).toEqual({
      ...{ name: 'local', provider_key: 'openai_compatible', base_url: local.base_url },
      credential_reference: 'workspace-secret://KEY',
    });
  });

  test.each([
    [['--name', 'x'], /provider_key/],
    [['--provider', 'openai'], /--name/],
    [['--name', 'x', '--api-key', '--credential', 'K'], /one credential/],
    [['-f', 'x.yaml', '--name', 'x'], /--file alone/],
    [['--name', 'x', '--provider', 'openai', '--api-key'], /api_key/],
  ])('the arguments %j are a usage error, and nothing is written', async (words, message) => {
    const { code, stderr } = await run(['provider-account', 'create', ...words], { stdin: 'a b' });
    expect(code).toBe(64);
    expect(stderr).toMatch(message);
    expect(written()).toEqual([]);
  });
});
