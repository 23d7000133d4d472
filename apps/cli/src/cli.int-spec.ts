import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { routes } from '@agentclash/api';
import { waitFor } from '@agentclash/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { command, emptyFolder, removeFolders, startCommand } from './testing/command.js';
import {
  attemptStory,
  deployment,
  events,
  inputSet,
  pack,
  packVersion,
  run,
  runAgent,
} from './testing/factories.js';
import { FakeApi } from './testing/fake-api.js';

let api: FakeApi;
let env: Record<string, string>;

beforeAll(async () => {
  api = await FakeApi.start();
  env = { AGENTCLASH_API_URL: api.url, AGENTCLASH_TOKEN: 'ac_test' };
});
afterAll(async () => {
  await api.stop();
  removeFolders();
});
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
  ])('an answer %d ends the command with its code', async (status, code, exit) => {
    api.fail(routes.runs.list, { status, code, detail: 'Because.' });
    const ended = await command(['run', 'list', '--json'], { env });
    expect(ended).toMatchObject({ code: exit, stdout: '' });
    expect(JSON.parse(ended.stderr)).toMatchObject({ error: { code, message: 'Because.' } });
  });

  test('a refused token and an unknown workspace are told with who gave them, garbage for an id as not found', async () => {
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

describe('a settings file', () => {
  test('with a key that is not known is refused, naming file and key', async () => {
    const cwd = emptyFolder();
    writeFileSync(path.join(cwd, '.agentclash.yaml'), 'api-url: http://127.0.0.1:1\n');
    const { code, stderr } = await command(['run', 'list'], { cwd });
    expect(code).toBe(64);
    expect(stderr).toContain('.agentclash.yaml: "api-url" is not known');
  });
});

describe('challenge-pack', () => {
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

  test('publish says when nothing changed, and tells a refusal as validate does', async () => {
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
  test('a value comes from standard input, goes to the server and nowhere else', async () => {
    api.on(routes.secrets.set, () => undefined);
    const ended = await command(['secret', 'set', 'KEY', '--host', 'api.example'], {
      env,
      stdin: 's3cret value\n',
    });
    expect(ended).toMatchObject({ code: 0 });
    expect(JSON.parse(api.seen[0]?.body ?? '')).toEqual({ value: 's3cret value', hosts: ['api.example'] });
    expect(ended.stdout + ended.stderr).not.toContain('s3cret');
  });

  test('a value among the arguments is refused and not repeated', async () => {
    const { code, stdout, stderr } = await command(['secret', 'set', 'KEY', 's3cret'], { env });
    expect(code).toBe(64);
    expect(stdout + stderr).not.toContain('s3cret');
    expect(api.seen).toEqual([]);
  });
});

describe('deployment create', () => {
  const FILE = `
runtime_profiles:
  - {name: short, max_iterations: 10}
deployments:
  - {name: fixed, kind: scripted, runtime_profile: short, config: {steps: [{answer: "6"}]}}
  - {name: solver, kind: program, config: {command: [python3, /agent/solve.py], files: [{path: solve.py, from: solve.py}]}}
`;

  test('makes what is missing, revises what exists, and puts ids in for names', async () => {
    const cwd = emptyFolder();
    writeFileSync(path.join(cwd, 'agents.yaml'), FILE);
    writeFileSync(path.join(cwd, 'solve.py'), 'print(6)\n');
    const known = deployment('solver', { kind: 'program', revision: 3 });
    const profile = { id: '0199c1d0-0000-7000-8000-000000000002', name: 'short' };
    const at = { created_at: known.created_at, updated_at: known.updated_at };
    const artifactId = '0199c1d0-0000-7000-8000-000000000003';
    api.on(routes.profiles.list, () => ({ items: [], next_cursor: null }));
    api.on(routes.deployments.list, ({ query }) => ({
      items: query.get('name') === 'solver' ? [known] : [],
      next_cursor: null,
    }));
    api.on(routes.profiles.create, () => ({ ...profile, ...at }));
    api.on(routes.artifacts.upload, () => ({
      id: artifactId,
      sha256: '00',
      bytes: 9,
      name: 'solve.py',
      media_type: null,
      created_at: known.created_at,
      created_by: 'test',
    }));
    api.on(routes.deployments.create, () => deployment('fixed'));
    api.on(routes.deployments.update, () => ({ ...known, revision: 4, applied: 'revised' as const }));

    const { code, stdout } = await command(['deployment', 'create', '-f', 'agents.yaml'], { cwd, env });
    expect(code).toBe(0);
    expect(stdout.split('\n').map((line) => line.replace(/ {2}[0-9a-f-]{36}$/, ''))).toEqual([
      'created   runtime profile short',
      'created   deployment fixed',
      'revised   deployment solver',
      '',
    ]);
    const bodies = api.seen
      .filter(({ method }) => method !== 'GET')
      .map(({ method, body }) => [method, body]);
    expect(bodies.map(([method]) => method)).toEqual(['POST', 'POST', 'POST', 'PUT']);
    expect(JSON.parse(bodies[1]?.[1] ?? '')).toMatchObject({ name: 'fixed', runtime_profile_id: profile.id });
    expect(bodies[2]?.[1]).toContain('print(6)');
    expect(JSON.parse(bodies[3]?.[1] ?? '')).toMatchObject({
      config: { files: [{ path: 'solve.py', artifact_id: artifactId }] },
    });
  });

  test('a fault anywhere in the file is told with its place, and nothing is written', async () => {
    const cwd = emptyFolder();
    writeFileSync(path.join(cwd, 'agents.yaml'), FILE.replace('max_iterations: 10', 'max_iteration: 10'));
    const { code, stdout } = await command(['deployment', 'create', '-f', 'agents.yaml'], { cwd, env });
    expect(code).toBe(64);
    expect(stdout).toMatch(/^agents\.yaml:3:19 error unknown_key runtime_profiles\[0\]\.max_iteration: /);
    expect(api.seen).toEqual([]);
  });

  test('a file that is not there is a fault of the line that names it', async () => {
    const cwd = emptyFolder();
    writeFileSync(path.join(cwd, 'agents.yaml'), FILE);
    api.on(routes.profiles.list, () => ({ items: [], next_cursor: null }));
    api.on(routes.deployments.list, () => ({ items: [], next_cursor: null }));
    const { code, stdout } = await command(['deployment', 'create', '-f', 'agents.yaml'], { cwd, env });
    expect(code).toBe(64);
    expect(stdout).toMatch(
      /^agents\.yaml:6:112 error unknown_reference deployments\[1\]\.config\.files\[0\]\.from: /,
    );
    expect(api.seen.every(({ method }) => method === 'GET')).toBe(true);
  });
});

describe('eval start', () => {
  const version = packVersion();
  const solver = deployment('solver');
  const noop = deployment('noop');
  const only = inputSet('default');

  function offer(sets = [only]): void {
    api.on(routes.packs.get, () => pack([version]));
    api.on(routes.packs.list, () => ({ items: [pack([version])], next_cursor: null }));
    api.on(routes.versions.inputSets, () => ({ items: sets }));
    api.on(routes.deployments.list, ({ query }) => ({
      items: [solver, noop].filter(({ name }) => (query.get('name') ?? name) === name),
      next_cursor: null,
    }));
  }

  function race(end: { status: 'completed' | 'failed' }) {
    const lanes = [runAgent('solver', 2), runAgent('noop', 2)] as const;
    const started = run({ progress: { ...run().progress, total: 4 } });
    const stories = [
      attemptStory(lanes[0], 'small', { passed: true, overall: 1 }),
      attemptStory(lanes[1], 'small', { passed: false, overall: 0.25 }),
      attemptStory(lanes[0], 'large', { passed: true, overall: 1 }),
      attemptStory(lanes[1], 'large', { passed: null, overall: null, outcome: 'infra_error' }),
    ];
    const history = events(started.id, [
      { event_type: 'run.state_changed', payload: { from: 'queued', to: 'running' } },
      ...stories.flat(),
      { event_type: 'run.completed', payload: { status: end.status } },
    ]);
    api.on(routes.runs.create, () => started);
    api.on(routes.runs.get, () => ({ ...started, status: end.status }));
    api.on(routes.runs.agents, () => ({ items: [...lanes] }));
    api.on(routes.runs.ranking, () => ({
      run_id: started.id,
      state: 'ready' as const,
      revision: 1,
      items: lanes.map(({ id, name }, index) => ({
        run_agent_id: id,
        name,
        rank: index + 1,
        reason: 'overall',
        overall: 1 - index * 0.75,
        passed: index === 0,
        validity: 'valid',
      })),
    }));
    return { started, history };
  }

  test('without a choice and nobody to ask it lists what there is and ends with 64', async () => {
    offer([inputSet('easy'), inputSet('hard')]);
    const noPack = await command(['eval', 'start'], { env });
    expect(noPack).toMatchObject({ code: 64 });
    expect(noPack.stderr).toContain('--pack\n  sums\n');
    const noSet = await command(['eval', 'start', '--pack', 'sums'], { env });
    expect(noSet).toMatchObject({ code: 64 });
    expect(noSet.stderr).toMatch(/--input-set\n {2}easy {2}.*\n {2}hard {2}/);
    const noAgent = await command(['eval', 'start', '--pack', 'sums', '--input-set', 'hard'], { env });
    expect(noAgent).toMatchObject({ code: 64 });
    expect(noAgent.stderr).toContain('--deployment\n  solver\n  noop\n');
  });

  test('a name that is not there ends with 66 and the nearest one', async () => {
    offer();
    const { code, stderr } = await command(['eval', 'start', '--pack', 'sums', '--deployment', 'solvr'], {
      env,
    });
    expect(code).toBe(66);
    expect(stderr).toContain('Did you mean solver?');
  });

  test('names become ids, and the request may be repeated safely', async () => {
    offer();
    const { started } = race({ status: 'completed' });
    const words = [
      'eval',
      'start',
      '--pack',
      'sums',
      '--deployment',
      'solver',
      'noop',
      '--repetitions',
      '2',
      '--json',
    ];
    const ended = await command(words, { env });
    expect(JSON.parse(ended.stdout)).toMatchObject({ id: started.id });
    const created = api.seen.find(({ method }) => method === 'POST');
    expect(created?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
    expect(JSON.parse(created?.body ?? '')).toEqual({
      challenge_pack_version_id: version.id,
      challenge_input_set_id: only.id,
      deployment_ids: [solver.id, noop.id],
      repetitions: 2,
    });
  });

  test('followed, it tells each attempt as it lands, then the ranking and where to look', async () => {
    offer();
    const { started, history } = race({ status: 'completed' });
    api.stream(routes.runs.events, history);
    const words = ['eval', 'start', '--pack', 'sums', '--deployment', 'solver', 'noop', '--follow'];
    const { code, stdout, stderr } = await command(words, { env });
    expect(code).toBe(0);
    expect(stderr).toContain('solver  passed  1.000  small #1  (1/2)');
    expect(stderr).toContain('noop  failed  0.250  small #1  (1/2)');
    expect(stderr).toContain('noop  not graded  -  large #1  infra_error: it broke  (2/2)');
    expect(stderr).toContain(`agentclash eval scorecard ${started.id}`);
    expect(stderr).toMatch(/agentclash replay [0-9a-f-]{36}/);
    expect(stdout).toMatch(/1 {2}solver {2,}passed {2,}1\.000/);
    expect(stdout).toMatch(/2 {2}noop {2,}failed {2,}0\.250/);
  });

  test('a followed run that fails ends with 1', async () => {
    offer();
    api.stream(routes.runs.events, race({ status: 'failed' }).history);
    const words = ['eval', 'start', '--pack', 'sums', '--deployment', 'solver', '--follow'];
    expect(await command(words, { env })).toMatchObject({ code: 1 });
  });

  test('followed with --json, stdout is the events and nothing else', async () => {
    offer();
    const { history } = race({ status: 'completed' });
    api.stream(routes.runs.events, history);
    const words = ['eval', 'start', '--pack', 'sums', '--deployment', 'solver', '--follow', '--json'];
    const { code, stdout } = await command(words, { env });
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(history);
  });

  test('a server that dies is told at once, and nothing is claimed of the run', async () => {
    offer();
    const { started, history } = race({ status: 'completed' });
    api.stream(routes.runs.events, history.slice(0, -1), { staysOpen: true });
    const words = ['eval', 'start', '--pack', 'sums', '--deployment', 'solver', '--follow'];
    const { child, stderr, ended } = startCommand(words, { env });
    await waitFor(() => stderr().includes('large #1  infra_error'));
    api.fail(routes.runs.events, { status: 503, code: 'unavailable', detail: 'away' });
    api.hangUp();
    await waitFor(() => stderr().includes('Lost the server; trying again for 1 m 00 s'));
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 75 });
    expect(stderr()).toContain(`agentclash run show ${started.id}`);
    expect(stderr()).not.toContain('the run goes on.');
  });

  test('Ctrl-C leaves the run going and says how to come back', async () => {
    offer();
    const { started, history } = race({ status: 'completed' });
    api.stream(routes.runs.events, history.slice(0, -1), { staysOpen: true });
    const words = ['eval', 'start', '--pack', 'sums', '--deployment', 'solver', '--follow'];
    const { child, stderr, ended } = startCommand(words, { env });
    await waitFor(() => stderr().includes('large #1  infra_error'));
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 75 });
    expect(stderr()).toContain(`agentclash run show ${started.id} --follow`);
    expect(api.seen.some(({ path: at }) => at.endsWith('/cancel'))).toBe(false);
  });
});
