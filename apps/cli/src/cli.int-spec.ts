import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { routes } from '@agentclash/api';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { command, emptyFolder } from './testing/command.js';
import { run } from './testing/factories.js';
import { useFakeApi } from './testing/fake-api.js';

const { api, env } = useFakeApi();
beforeEach(() => api.reset());

describe('usage', () => {
  test('help goes to stdout and succeeds; a wrong word ends with 64, a suggestion and no stack', async () => {
    const help = await command(['--help']);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toContain('challenge-pack');
    const wrong = await command(['runn', 'list']);
    expect(wrong).toMatchObject({ code: 64, stdout: '' });
    expect(wrong.stderr).toMatch(/^error unknown command 'runn'\n.*Did you mean run\?/);
    expect(wrong.stderr).not.toContain('    at ');
  });

  test('--version prints the same as the command version', async () => {
    const option = await command(['--version']);
    expect(option).toMatchObject({ code: 0, stderr: '' });
    expect(option.stdout).toMatch(/^agentclash \d+\.\d+\.\d+\n$/);
    expect(option.stdout).toBe((await command(['version'])).stdout);
  });

  test('version shows the server: its release, an older one without a version, and one that is gone', async () => {
    const installation = { services: [], executors: [] };
    const shown = async (more = env) =>
      JSON.parse((await command(['version', '--json'], { env: more })).stdout);
    expect(await shown({})).toMatchObject({ version: expect.any(String), server: null });
    api.on(routes.service.installation, () => ({ ...installation, version: '99.0.0' }));
    expect(await shown()).toMatchObject({
      server: { url: api.url, version: '99.0.0', compared: 'newer', compatible: true },
    });
    api.on(routes.service.installation, () => installation);
    const older = await command(['version'], { env });
    expect(older).toMatchObject({ code: 0, stdout: expect.stringContaining('does not show its version') });
    expect(older.stderr).toContain('docs/upgrades.md');
    const gone = await command(['version'], { env: { ...env, AGENTCLASH_API_URL: 'http://127.0.0.1:9' } });
    expect(gone).toMatchObject({ code: 0, stdout: expect.stringContaining('cannot be reached') });
    expect(gone.stderr).toContain('agentclash doctor');
  });

  test('without a server the commands that need one end with 69, without a token with 77', async () => {
    expect(await command(['run', 'list'])).toMatchObject({ code: 69 });
    expect(await command(['run', 'list'], { env: { AGENTCLASH_API_URL: api.url } })).toMatchObject({
      code: 77,
    });
    expect(
      await command(['run', 'list'], { env: { ...env, AGENTCLASH_API_URL: 'http://127.0.0.1:9' } }),
    ).toMatchObject({
      code: 69,
    });
  });

  test.each([
    [401, 'unauthenticated', 77],
    [403, 'forbidden', 77],
    [404, 'not_found', 66],
    [409, 'conflict', 64],
    [429, 'rate_limited', 75],
    [500, 'internal', 75],
    [503, 'unavailable', 69],
  ])('a response with status %d ends the command with its exit code', async (status, code, exit) => {
    api.fail(routes.runs.list, { status, code, detail: 'Because.' });
    const ended = await command(['run', 'list', '--json'], { env });
    expect(ended).toMatchObject({ code: exit, stdout: '' });
    expect(JSON.parse(ended.stderr)).toMatchObject({ error: { code, message: 'Because.' } });
  });

  test('--model-calls narrows the list of runs, and an unknown mode is refused', async () => {
    api.on(routes.runs.list, () => ({ items: [], next_cursor: null }));
    await command(['run', 'list', '--model-calls', 'record'], { env });
    expect(api.seen.at(-1)?.query.get('model_calls')).toBe('record');
    expect(await command(['run', 'list', '--model-calls', 'twice'], { env })).toMatchObject({ code: 64 });
  });

  test('a refused token and an unknown workspace are reported with their origin, an invalid id as not found', async () => {
    api.fail(routes.runs.list, {
      status: 401,
      code: 'unauthenticated',
      detail: 'Send Authorization: Bearer.',
    });
    const refused = await command(['run', 'list', '--token', 'ac_wrong'], { env });
    expect(refused.code).toBe(77);
    expect(refused.stderr).toContain('The token is not valid at');
    expect(refused.stderr).toContain('It comes from --token.');
    expect(refused.stderr).not.toContain('Bearer');
    api.fail(routes.runs.list, { status: 404, code: 'not_found', detail: 'There is no such workspace.' });
    const elsewhere = await command(['run', 'list', '-w', 'nope'], { env });
    expect(elsewhere.code).toBe(66);
    expect(elsewhere.stderr).toContain('There is no workspace "nope"');
    expect(await command(['run', 'show', 'garbage'], { env })).toMatchObject({ code: 66 });
  });

  test('the nearest project file names server, workspace and token', async () => {
    const folder = emptyFolder();
    writeFileSync(
      path.join(folder, '.agentclash.yaml'),
      `api_url: ${api.url}\ntoken: ac_project\nworkspace: team\n`,
    );
    api.on(routes.runs.list, () => ({ items: [], next_cursor: null }));
    expect(await command(['run', 'list'], { cwd: folder })).toMatchObject({ code: 0 });
    expect(api.seen[0]).toMatchObject({
      params: { ws: 'team' },
      headers: { authorization: 'Bearer ac_project' },
    });
  });
});

test('`last` shows the same run as its id', async () => {
  const named = run();
  const agents = [{ id: named.id, name: 'solver', judged: 1, passed: 1, overall_so_far: 1, rank: 1 }];
  api.on(routes.runs.list, () => ({ items: [{ ...named, agents }], next_cursor: null }));
  api.on(routes.runs.get, () => named);
  const last = await command(['run', 'show', 'last', '--json'], { env });
  expect(last.stdout).toContain(named.id);
  expect(last.stdout).toBe((await command(['run', 'show', named.id, '--json'], { env })).stdout);
});

describe('a settings file', () => {
  test('a settings file with an unknown key is refused, and the error names file and key', async () => {
    const cwd = emptyFolder();
    writeFileSync(path.join(cwd, '.agentclash.yaml'), 'api-url: http://127.0.0.1:1\n');
    const { code, stderr } = await command(['run', 'list'], { cwd });
    expect(code).toBe(64);
    expect(stderr).toContain('.agentclash.yaml: "api-url" is not known');
  });
});

describe('challenge-pack', () => {
  test('init writes a skill into the project, keeps one that is there, and leaves it out on request', async () => {
    const project = emptyFolder();
    for (const name of ['.git', '.claude', 'packs']) mkdirSync(path.join(project, name));
    const skill = (folder: string) => path.join(folder, '.agents/skills/write-challenge-packs/SKILL.md');
    const init = (cwd: string, ...words: string[]) => command(['challenge-pack', 'init', ...words], { cwd });
    const first = await init(project, 'packs/one.yaml');
    expect(first).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('.agents/skills/write-challenge-packs'),
    });
    expect(readFileSync(skill(project), 'utf8')).toMatch(/^---\nname: write-challenge-packs\n/);
    expect(existsSync(path.join(project, '.claude/skills/write-challenge-packs/SKILL.md'))).toBe(true);
    writeFileSync(skill(project), 'mine');
    expect((await init(project, 'packs/two.yaml')).stderr).not.toContain('SKILL.md');
    expect(readFileSync(skill(project), 'utf8')).toBe('mine');
    const plain = emptyFolder();
    await init(plain, 'one.yaml', '--no-skill');
    expect(readdirSync(plain).sort()).toEqual(['challenge-pack.schema.json', 'one.yaml']);
    await init(plain, 'two.yaml');
    expect(existsSync(skill(plain))).toBe(true);
    expect(existsSync(path.join(plain, '.claude'))).toBe(false);
  });

  test('a starter pack is written once and validates', async () => {
    const cwd = emptyFolder();
    expect(await command(['challenge-pack', 'init', 'My Task.yaml'], { cwd })).toMatchObject({ code: 0 });
    expect(await command(['challenge-pack', 'init', 'My Task.yaml'], { cwd })).toMatchObject({ code: 64 });
    const checked = await command(['challenge-pack', 'validate', 'My Task.yaml', '--strict'], { cwd });
    expect(checked).toMatchObject({ code: 0 });
    expect(checked.stdout).toContain('valid My Task.yaml: my-task version 1');
  });

  test('validate points at every problem of several files and ends with 64', async () => {
    const cwd = emptyFolder();
    writeFileSync(path.join(cwd, 'one.yaml'), 'pack: {slug: A B}\n');
    const { code, stdout } = await command(['challenge-pack', 'validate', 'one.yaml', '-'], {
      cwd,
      stdin: 'x',
    });
    expect(code).toBe(64);
    expect(stdout).toMatch(/^one\.yaml:1:14 error malformed pack\.slug: /m);
    expect(stdout).toMatch(/^one\.yaml:1:1 error required version: /m);
    expect(stdout).toMatch(/^<stdin>:1:1 error type_mismatch /m);
  });

  test('validate reports on every file although others cannot be read', async () => {
    const cwd = emptyFolder();
    await command(['challenge-pack', 'init', 'good.yaml'], { cwd });
    writeFileSync(path.join(cwd, 'bad.yaml'), 'x');
    const validate = (...words: string[]) => command(['challenge-pack', 'validate', ...words], { cwd });
    const mixed = await validate('none.yaml', '.', 'good.yaml', 'bad.yaml');
    expect(mixed.code).toBe(64);
    expect(mixed.stdout.split('\n')).toEqual(
      expect.arrayContaining([
        'error There is no file none.yaml',
        'error . is a folder',
        expect.stringMatching(/^valid good\.yaml: /),
        expect.stringMatching(/^invalid bad\.yaml: /),
      ]),
    );
    const absent = await validate('none.yaml', 'good.yaml', '--json');
    expect(absent.code).toBe(66);
    expect(JSON.parse(absent.stdout).files).toMatchObject([
      { file: 'none.yaml', valid: false, error: { code: 'not_found' } },
      { file: 'good.yaml', valid: true },
    ]);
    expect(await validate('-', '-')).toMatchObject({ code: 64, stdout: '' });
  });

  test('a document that the server finds too large is reported like any other problem', async () => {
    const cwd = emptyFolder();
    await command(['challenge-pack', 'init', 'task.yaml'], { cwd });
    const problem = { code: 'document_too_large', field: '', message: 'too large', line: 1, column: 1 };
    const tooLarge = { status: 413, code: 'too_large', detail: 'no', errors: [problem] } as const;
    for (const route of [routes.packs.validate, routes.packs.publish]) api.fail(route, tooLarge);
    const line = 'task.yaml:1:1 error document_too_large too large';
    const checked = await command(['challenge-pack', 'validate', '--remote', 'task.yaml'], { cwd, env });
    expect(checked).toMatchObject({ code: 64, stdout: `${line}\ninvalid task.yaml: 1 error, 0 warnings\n` });
    const published = await command(['challenge-pack', 'publish', 'task.yaml'], { cwd, env });
    expect(published).toMatchObject({ code: 64, stdout: `${line}\n` });
  });

  test('publish reports an unchanged pack, and a refusal in the form of validate', async () => {
    const cwd = emptyFolder();
    await command(['challenge-pack', 'init', 'task.yaml'], { cwd });
    const id = '0199c1d0-0000-7000-8000-000000000001';
    api.on(routes.packs.publish, () => ({
      created: false,
      challenge_pack_id: id,
      challenge_pack_version_id: id,
      evaluation_spec_id: id,
      input_set_ids: [id],
      input_sets: [{ id, key: 'default' }],
      bundle_artifact_id: null,
      version_number: 1,
      digest: 'sha256:00',
      warnings: [],
    }));
    const same = await command(['challenge-pack', 'publish', 'task.yaml'], { cwd, env });
    expect(same).toMatchObject({ code: 0 });
    expect(same.stdout).toContain('nothing changed: version 1');
    const problem = { code: 'unknown_reference', field: 'challenges[0]', message: 'no', line: 3, column: 7 };
    api.fail(routes.packs.publish, { status: 422, code: 'invalid_pack', detail: 'no', errors: [problem] });
    const refused = await command(['challenge-pack', 'publish', 'task.yaml'], { cwd, env });
    expect(refused).toMatchObject({ code: 64 });
    expect(refused.stdout).toBe('task.yaml:3:7 error unknown_reference challenges[0]: no\n');
  });
});

describe('secret', () => {
  test('the value of a secret comes from standard input and is sent to the server only', async () => {
    api.on(routes.secrets.set, () => undefined);
    const ended = await command(['secret', 'set', 'KEY', '--host', 'api.example'], {
      env,
      stdin: 's3cret value\n',
    });
    expect(ended).toMatchObject({ code: 0 });
    expect(JSON.parse(api.seen[0]?.body ?? '')).toEqual({ value: 's3cret value', hosts: ['api.example'] });
    expect(ended.stdout + ended.stderr).not.toContain('s3cret');
  });

  test.each<[string, string[], RegExp]>([
    ['without a place to go', [], /KEY needs --host or --any[\s\S]*--host api\.example\.com[\s\S]*--any/],
    ['for a host named any', ['--host', 'any'], /any is none[\s\S]*--any[\s\S]*--host https:\/\/any/],
    ['for one place and any', ['--host', 'a.test', '--any'], /--host and --any contradict/],
    ['for a path', ['--host', 'https://a.test/v1'], /hosts\.0: must be an origin such as/],
    ['for a port without a scheme', ['--host', '127.0.0.1:80'], /http:\/\/127\.0\.0\.1:80/],
    ['for every host', ['--host', '*'], /choose "any"[\s\S]*or --any: wherever/],
  ])('a secret %s is not set, and nothing is sent', async (_what, words, message) => {
    const { code, stderr } = await command(['secret', 'set', 'KEY', ...words], { env, stdin: 's3cret\n' });
    expect({ code, stderr }).toEqual({ code: 64, stderr: expect.stringMatching(message) });
    expect(api.seen).toEqual([]);
  });

  test('a secret for any host is stored with that binding', async () => {
    api.on(routes.secrets.set, () => undefined);
    const { code } = await command(['secret', 'set', 'KEY', '--any'], { env, stdin: 's3cret\n' });
    expect(code).toBe(0);
    expect(JSON.parse(api.seen[0]?.body ?? '')).toEqual({ value: 's3cret', any: true });
  });

  test('a secret without an origin is listed with a warning', async () => {
    const AT = '2026-03-01T12:00:00.000Z';
    const of = (key: string, more: object) => ({
      ...{ key, hosts: [], version: 1, created_at: AT, updated_at: AT },
      ...{ created_by: 'a', updated_by: 'a', last_used_at: null, ...more },
    });
    api.on(routes.secrets.list, () => ({
      items: [
        of('BOUND', { hosts: ['a.test'], binding: 'origin' }),
        of('CHOSEN', { binding: 'any' }),
        of('FREE', { binding: 'unbound' }),
        of('LOOSE', { hosts: ['b.test'], binding: 'host' }),
      ],
    }));
    const { stdout, stderr } = await command(['secret', 'list'], { env });
    expect(stdout).toMatch(/FREE +any \(unbound\)/);
    expect(stdout).toMatch(/LOOSE +b\.test \(any scheme and port\)/);
    expect(stderr).toMatch(/FREE is unbound.*--host/);
    expect(stderr).toMatch(/LOOSE is bound to hosts of any scheme and port/);
    expect(stderr).not.toMatch(/BOUND is|CHOSEN is/);
  });

  test('a value among the arguments is refused and not repeated', async () => {
    const { code, stdout, stderr } = await command(['secret', 'set', 'KEY', 's3cret'], { env });
    expect(code).toBe(64);
    expect(stdout + stderr).not.toContain('s3cret');
    expect(api.seen).toEqual([]);
  });
});
