import { routes } from '@agentclash/api';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { command, removeFolders } from './testing/command.js';
import { run } from './testing/factories.js';
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

describe('ordering a run about', () => {
  const race = run({ status: 'running' });
  const sent = () => JSON.parse(api.seen.find(({ method }) => method === 'POST')?.body ?? 'null');

  beforeEach(() => {
    api.reset();
    api.on(routes.runs.get, () => race);
  });

  test('pause reports what still works and how to resume; resume resumes it', async () => {
    const progress = { ...race.progress, running: 1, queued: 7 };
    api.on(routes.runs.pause, () => ({ ...race, status: 'paused' as const, progress }));
    const paused = await command(['run', 'pause', race.id], { env });
    expect(paused).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 attempt at work, 7 waiting'),
    });
    expect(paused.stderr).toContain(`agentclash run resume ${race.id}`);
    api.on(routes.runs.resume, () => race);
    const resumed = await command(['run', 'resume', race.id, '--json'], { env });
    expect(JSON.parse(resumed.stdout)).toMatchObject({ id: race.id, status: 'running' });
  });

  test('a refused pause is reported with its reason', async () => {
    const detail = 'The run is completed: only a running one can be paused.';
    api.fail(routes.runs.pause, { status: 409, code: 'conflict', detail });
    const refused = await command(['run', 'pause', race.id], { env });
    expect(refused).toMatchObject({ code: 64, stderr: expect.stringContaining(detail) });
  });

  test('retry --only infra sends just that, and nothing is marked', async () => {
    api.on(routes.runs.retry, () => ({ ...race, retried: 2 }));
    const retried = await command(['run', 'retry', race.id, '--only', 'infra'], { env });
    expect(retried).toMatchObject({ code: 0, stdout: expect.stringContaining('2 attempts retried') });
    expect(retried.stderr).not.toContain('because of their result');
    expect(sent()).toEqual({ only: 'infra' });
  });

  test('retry of what failed, or of named attempts, reports what that means for gates', async () => {
    api.on(routes.runs.retry, () => ({ ...race, retried: 1, selective_retry: true }));
    const failed = await command(['run', 'retry', race.id, '--only', 'failed'], { env });
    expect(failed.stderr).toContain('because of their result');
    expect(sent()).toEqual({ only: 'failed' });
    api.reset();
    api.on(routes.runs.get, () => race);
    api.on(routes.runs.retry, () => ({ ...race, retried: 1, selective_retry: true }));
    const ids = [race.id, race.workspace_id];
    expect(await command(['run', 'retry', race.id, '--only', ...ids], { env })).toMatchObject({ code: 0 });
    expect(sent()).toEqual({ only: ids });
  });

  test.each([
    ['one kind', ['infra'], 'infra'],
    ['attempts', [race.workspace_id, race.id], [race.workspace_id, race.id]],
  ])('retry takes the run after --only with %s too', async (_what, only, body) => {
    api.on(routes.runs.retry, () => ({ ...race, retried: 2 }));
    const retried = await command(['run', 'retry', '--only', ...only, race.id], { env });
    expect(retried).toMatchObject({ code: 0, stdout: expect.stringContaining(race.id) });
    expect(sent()).toEqual({ only: body });
  });

  test.each([[['infra']], [['infra', 'failed']]])(
    'retry --only %j without a run reports so',
    async (only) => {
      const wrong = await command(['run', 'retry', '--only', ...only], { env });
      expect(wrong).toMatchObject({
        code: 64,
        stderr: expect.stringContaining("missing required argument 'run'"),
      });
      expect(api.seen).toEqual([]);
    },
  );

  test('retry in a paused run reports how to resume it', async () => {
    api.on(routes.runs.retry, () => ({ ...race, status: 'paused' as const, retried: 2 }));
    const { stderr } = await command(['run', 'retry', race.id, '--only', 'infra'], { env });
    expect(stderr).toContain(`agentclash run resume ${race.id}`);
    expect(stderr).not.toContain('Watch it');
  });

  test.each([
    [['all'], '"all" is neither'],
    [['infra', 'failed'], 'one kind or the ids of attempts, not several kinds nor both'],
    [[race.id, 'infra'], 'one kind or the ids of attempts, not several kinds nor both'],
  ])('retry --only %j prompts for nothing', async (only, reason) => {
    const wrong = await command(['run', 'retry', race.id, '--only', ...only], { env });
    expect(wrong).toMatchObject({ code: 64, stderr: expect.stringContaining(reason) });
    expect(api.seen).toEqual([]);
  });

  test('retry without a choice is not guessed', async () => {
    expect(await command(['run', 'retry', race.id], { env })).toMatchObject({ code: 64 });
  });
});
