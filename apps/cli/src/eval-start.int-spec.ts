import { routes } from '@agentclash/api';
import { waitFor } from '@agentclash/testkit';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { command, startCommand } from './testing/command.js';
import {
  attempt,
  attemptEvents,
  deployment,
  events,
  inputSet,
  pack,
  packVersion,
  run,
  runAgent,
} from './testing/factories.js';
import { useFakeApi } from './testing/fake-api.js';

/** Of a pack without a default lineup, when a request names no deployment. */
const NO_LINEUP = { status: 422, code: 'deployments_required', detail: 'The run names no deployment.' };

const { api, env } = useFakeApi();
beforeEach(() => api.reset());

test('A model without a price is a warning on stderr when the run is started', async () => {
  const message = 'The price of openai m is unknown, and so is the cost of the deployment "solver".';
  const started = run({ warnings: [{ code: 'price_unknown', message }] });
  const version = packVersion();
  api.on(routes.packs.get, () => pack([version]));
  api.on(routes.packs.list, () => ({ items: [pack([version])], next_cursor: null }));
  api.on(routes.versions.inputSets, () => ({ items: [inputSet('default')] }));
  api.on(routes.runs.create, () => started);
  api.on(routes.runs.agents, () => ({ items: [runAgent('solver', 2)] }));
  const words = ['eval', 'start', '--pack', 'sums', '--deployment', 'solver'];
  const { stdout, stderr } = await command([...words, '--json'], { env });
  expect(stderr).toContain(`price_unknown: ${message}`);
  expect(JSON.parse(stdout)).toMatchObject({ warnings: [{ code: 'price_unknown', message }] });
});

describe('variants of a run', () => {
  test('Chosen variants are requested, and the lanes of a run with variants are shown', async () => {
    const started = run({ progress: { ...run().progress, total: 4 } });
    const lanes = ['bare', 'skill'].map((name) => ({
      ...runAgent(`coder (${name})`, 2),
      variant: { deployment: 'coder', name, baseline: 'bare' },
    }));
    const version = packVersion();
    api.on(routes.packs.get, () => pack([version]));
    api.on(routes.packs.list, () => ({ items: [pack([version])], next_cursor: null }));
    api.on(routes.versions.inputSets, () => ({ items: [inputSet('default')] }));
    api.on(routes.runs.create, () => started);
    api.on(routes.runs.get, () => started);
    api.on(routes.runs.agents, () => ({ items: lanes }));
    const requested = () =>
      JSON.parse(api.seen.findLast(({ method }) => method === 'POST')?.body ?? '{}') as Record<
        string,
        unknown
      >;
    const named = ['--deployment', 'coder', '--variant', 'bare', 'skill'];
    const { code, stdout, stderr } = await command(['eval', 'start', '--pack', 'sums', ...named], { env });
    expect([code, stdout]).toEqual([0, expect.stringContaining('2 agents, 4 attempts')]);
    expect(stderr).toContain('agents: coder (bare), coder (skill)');
    expect(requested()).toMatchObject({ deployment_names: ['coder'], variants: ['bare', 'skill'] });
    const again = await command(['eval', 'start', '--only-failed', started.id], { env });
    expect(again.code).toBe(0);
    expect(requested()).toMatchObject({
      ...{ deployment_names: ['coder'], variants: ['bare', 'skill'] },
      only_failed_of: started.id,
    });
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
    api.fail(routes.runs.create, NO_LINEUP);
  }

  function race(end: { status: 'completed' | 'failed' }) {
    const lanes = [runAgent('solver', 2), runAgent('noop', 2)] as const;
    const started = run({ progress: { ...run().progress, total: 4 } });
    const histories = [
      attemptEvents(lanes[0], 'small', { passed: true, overall: 1 }),
      attemptEvents(lanes[1], 'small', { passed: false, overall: 0.25 }),
      attemptEvents(lanes[0], 'large', { passed: true, overall: 1 }),
      attemptEvents(lanes[1], 'large', { passed: null, overall: null, outcome: 'infra_error' }),
    ];
    const history = events(started.id, [
      { event_type: 'run.state_changed', payload: { from: 'queued', to: 'running' } },
      ...histories.flat(),
      { event_type: 'run.completed', payload: { status: end.status } },
    ]);
    api.on(routes.runs.create, () => started);
    api.on(routes.runs.get, () => ({ ...started, status: end.status }));
    api.on(routes.runs.agents, () => ({ items: [...lanes] }));
    api.on(routes.versions.get, () => packVersion());
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

  test('without a choice and without a prompt it lists the choices and ends with 64', async () => {
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

  test('an unknown name ends with 66, and an ambiguous one with 64', async () => {
    offer();
    const problem = {
      status: 404,
      code: 'not_found',
      detail: 'There is no active deployment or alias "solvr" (did you mean solver?).',
      errors: [{ code: 'not_found', field: 'deployment_names[0]', message: 'names no active deployment' }],
    };
    api.fail(routes.runs.create, problem);
    const words = ['eval', 'start', '--pack', 'sums', '--deployment', 'solvr'];
    const unknown = await command(words, { env });
    expect(unknown).toMatchObject({ code: 66, stderr: expect.stringContaining('did you mean solver?') });
    api.fail(routes.runs.create, { ...problem, status: 422, code: 'invalid_input' });
    expect(await command(words, { env })).toMatchObject({ code: 64 });
  });

  const sent = () => JSON.parse(api.seen.find(({ method }) => method === 'POST')?.body ?? 'null');

  test('a start without --deployment races the default lineup of the pack, without a prompt or a list', async () => {
    offer();
    const { started } = race({ status: 'completed' });
    const { code, stdout, stderr } = await command(['eval', 'start', '--pack', 'sums'], { env });
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(`run ${started.id}`) });
    expect(stderr).toContain('agents: solver, noop');
    expect(stdout).toContain('2 agents, 4 attempts');
    expect(sent()).toEqual({
      challenge_pack_version_id: version.id,
      challenge_input_set_id: only.id,
    });
    expect(api.seen.some(({ path: at }) => at.endsWith('/deployments'))).toBe(false);
  });

  test('--case selects cases, and the run shows their number out of all', async () => {
    offer();
    const { started } = race({ status: 'completed' });
    const case_subset = { case_keys: ['small', 'large'], of: 9, failed_in_run_id: null };
    api.on(routes.runs.create, () => ({ ...started, case_subset }));
    const words = ['eval', 'start', '--pack', 'sums', '--deployment', 'solver', '--case', 'small', 'large'];
    const { code, stderr } = await command(words, { env });
    expect(code).toBe(0);
    expect(sent()).toMatchObject({ case_keys: ['small', 'large'] });
    expect(stderr).toContain('2 of the 9 cases of the input set');
    expect(await command([...words, '--only-failed', started.id], { env })).toMatchObject({ code: 64 });
  });

  test('--replay-from replays a recorded run with its version, agents and repetitions, and shows it', async () => {
    offer([inputSet('easy'), only]);
    const { started } = race({ status: 'completed' });
    const marked = { ...started, model_calls: 'replay', replay_from: started.id } as const;
    api.on(routes.runs.create, () => marked);
    const { code, stderr } = await command(['run', 'start', '--replay-from', started.id], { env });
    expect(code).toBe(0);
    expect(sent()).toMatchObject({
      challenge_pack_version_id: version.id,
      challenge_input_set_id: only.id,
      deployment_names: ['solver', 'noop'],
      repetitions: started.repetitions,
      model_calls: 'replay',
      replay_from: started.id,
    });
    expect(stderr).toContain(`recorded in run ${started.id}`);
    api.on(routes.runs.get, () => marked);
    const { stdout } = await command(['run', 'show', started.id], { env });
    expect(stdout).toContain('replay: replies of models are those recorded in run');
  });

  test('--model-calls is sent with the request, and an unknown mode is refused', async () => {
    offer();
    race({ status: 'completed' });
    const words = ['eval', 'start', '--pack', 'sums', '--deployment', 'solver', '--model-calls'];
    expect(await command([...words, 'record'], { env })).toMatchObject({ code: 0 });
    expect(sent()).toMatchObject({ model_calls: 'record' });
    expect(await command([...words, 'later'], { env })).toMatchObject({ code: 64 });
  });

  test('--only-failed takes version, input set and agents from the earlier run where they are not named', async () => {
    offer([inputSet('easy'), only]);
    const { started } = race({ status: 'completed' });
    const words = ['eval', 'start', '--only-failed', started.id];
    expect(await command(words, { env })).toMatchObject({ code: 0 });
    expect(sent()).toMatchObject({
      challenge_pack_version_id: version.id,
      challenge_input_set_id: only.id,
      deployment_names: ['solver', 'noop'],
      only_failed_of: started.id,
    });
    api.reset();
    offer([inputSet('easy'), only]);
    const { started: other } = race({ status: 'completed' });
    expect(await command([...words, '--deployment', 'other', '--input-set', 'easy'], { env })).toMatchObject({
      code: 0,
    });
    expect(sent()).toMatchObject({ deployment_names: ['other'], only_failed_of: other.id });
    expect(sent().challenge_input_set_id).not.toBe(only.id);
  });

  test('--lineup names another lineup, and excludes --deployment', async () => {
    offer();
    race({ status: 'completed' });
    const words = ['eval', 'start', '--pack', 'sums', '--lineup', 'solo'];
    expect(await command(words, { env })).toMatchObject({ code: 0 });
    expect(sent()).toMatchObject({ lineup: 'solo' });
    expect(await command([...words, '--deployment', 'solver'], { env })).toMatchObject({ code: 64 });
  });

  test('names are sent as they are written, and the request may be repeated safely', async () => {
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
      deployment_names: ['solver', 'noop'],
      repetitions: 2,
    });
  });

  test('a followed run prints each attempt when it ends, then the ranking and the next commands', async () => {
    offer();
    const { started, history } = race({ status: 'completed' });
    api.stream(routes.runs.events, history);
    const words = ['eval', 'start', '--pack', 'sums', '--deployment', 'solver', 'noop', '--follow'];
    const { code, stdout, stderr } = await command(words, { env });
    expect(code).toBe(0);
    expect(stderr).toContain('passed      1.000  solver  small #1  (1/2)');
    expect(stderr).toContain('failed      0.250  noop  small #1  (1/2)');
    expect(stderr).toContain('not graded  -      noop  large #1  infra_error: it broke  (2/2)');
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

  test('A followed replay that differs from its recording ends with 3, with the first difference below the ranking', async () => {
    offer();
    const { started, history } = race({ status: 'completed' });
    const replayed = { ...started, status: 'completed' as const, model_calls: 'replay' as const };
    const [ranked, lacking] = [
      { ...{ rank: 1, overall: 1, passed: true, usable_attempts: 2, verdict_reason: 'threshold_met' } },
      { ...{ rank: 2, overall: null, passed: null, usable_attempts: 0, verdict_reason: 'no_evidence' } },
    ];
    const names = ['solver', 'noop'];
    api.on(routes.runs.get, () => ({ ...replayed, replay_from: started.id }));
    api.on(routes.versions.get, () => packVersion());
    api.on(routes.runs.ranking, () => ({
      ...{ run_id: started.id, state: 'ready' as const, revision: 1 },
      items: [ranked, lacking].map((row, index) => ({
        ...{ run_agent_id: started.id, name: names[index] ?? '', reason: 'overall', validity: 'valid' },
        ...row,
      })),
    }));
    const message =
      'model call 2 differs from the recorded one at messages[2].content: expected "a", found "b"';
    const failed = (case_key: string, code: string) =>
      attempt({
        ...{ agent_name: 'noop', case_key, outcome: 'infra_error', passed: null, overall: null },
        error: { code, message, retryable: false },
      });
    const differing = ['small', 'large'].map((key) => failed(key, 'replay_diverged'));
    api.on(routes.runs.attempts, ({ query }) => ({
      items: query.get('outcome') === 'infra_error' ? [failed('other', 'worker_lost'), ...differing] : [],
      next_cursor: null,
    }));
    api.stream(routes.runs.events, history);
    const words = ['run', 'show', started.id, '--follow'];
    const { code, stdout, stderr } = await command(words, { env });
    expect(code).toBe(3);
    const below = stdout.split('\n').slice(stdout.split('\n').findIndex((line) => line.includes('noop')) + 1);
    expect(below.slice(0, 3)).toEqual([
      `replay differs: noop, case small #1: ${message}`,
      `1 more attempt differs: agentclash run attempts ${started.id} --outcome infra_error`,
      `agentclash replay ${differing[0]?.id}`,
    ]);
    expect(stderr).toContain('Too few graded attempts for a verdict: noop. agentclash run attempts');
    api.stream(routes.runs.events, history);
    expect(await command([...words, '--json'], { env })).toMatchObject({ code: 3 });
    expect((await command(['run', 'ranking', started.id], { env })).stdout).toContain(below[0]);
  });

  test('a followed run with --json writes only the events to stdout', async () => {
    offer();
    const { history } = race({ status: 'completed' });
    api.stream(routes.runs.events, history);
    const words = ['eval', 'start', '--pack', 'sums', '--deployment', 'solver', '--follow', '--json'];
    const { code, stdout } = await command(words, { env });
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(history);
  });

  test('a server that dies is reported at once, without a result of the run', async () => {
    offer();
    const { started, history } = race({ status: 'completed' });
    api.stream(routes.runs.events, history.slice(0, -1), { staysOpen: true });
    const words = ['eval', 'start', '--pack', 'sums', '--deployment', 'solver', '--follow'];
    const { child, stderr, ended } = startCommand(words, { env });
    await waitFor(() => stderr().includes('large #1  infra_error'));
    api.fail(routes.runs.events, { status: 503, code: 'unavailable', detail: 'away' });
    api.hangUp();
    await waitFor(() => stderr().includes('Connection lost; retrying for 1 m 00 s'));
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 75 });
    expect(stderr()).toContain(`agentclash run show ${started.id}`);
    expect(stderr()).not.toContain('the run continues.');
  });

  test('Ctrl-C leaves the run active and prints how to follow it again', async () => {
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
