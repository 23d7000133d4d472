import { routes } from '@agentclash/api';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { command } from './testing/command.js';
import { attempt, run } from './testing/factories.js';
import { useFakeApi } from './testing/fake-api.js';

const { api, env } = useFakeApi();
beforeEach(() => api.reset());

describe('ordering a run about', () => {
  const race = run({ status: 'running' });
  const sent = () => JSON.parse(api.seen.find(({ method }) => method === 'POST')?.body ?? 'null');

  beforeEach(() => {
    api.reset();
    api.on(routes.runs.get, () => race);
  });

  test('pause reports which attempts continue and how to resume; resume resumes it', async () => {
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

  test('retry --only infra sends only that, and the run is not marked', async () => {
    api.on(routes.runs.retry, () => ({ ...race, retried: 2 }));
    const retried = await command(['run', 'retry', race.id, '--only', 'infra'], { env });
    expect(retried).toMatchObject({ code: 0, stdout: expect.stringContaining('2 attempts retried') });
    expect(retried.stderr).not.toContain('because of their result');
    expect(sent()).toEqual({ only: 'infra' });
  });

  test('retry of failed or named attempts reports the effect on gates', async () => {
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
  ])('retry accepts the run after --only with %s too', async (_what, only, body) => {
    api.on(routes.runs.retry, () => ({ ...race, retried: 2 }));
    const retried = await command(['run', 'retry', '--only', ...only, race.id], { env });
    expect(retried).toMatchObject({ code: 0, stdout: expect.stringContaining(race.id) });
    expect(sent()).toEqual({ only: body });
  });

  test.each([[['infra']], [['infra', 'failed']]])(
    'retry --only %j without a run reports that it is missing',
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

  test('retry without a choice is refused', async () => {
    expect(await command(['run', 'retry', race.id], { env })).toMatchObject({ code: 64 });
  });
});

describe('a turn that waits for a person', () => {
  const race = run({ status: 'running' });
  const awaits = {
    turn_index: 2,
    phase_id: 'clarify',
    deadline_at: new Date(Date.now() + 90_000).toISOString(),
    last_message: 'Which\u001b[2Jone?',
  };
  const waiting = attempt({ run_id: race.id, state: 'parked', outcome: null, awaits });
  const evidence = { deliveries: [], final_output: null, snapshot: null, stored_case: {} };
  const given = {
    attempt_id: waiting.id,
    turn_index: 2,
    phase_id: 'clarify',
    message: 'The left.\nPlease.',
    given_at: new Date().toISOString(),
    given_by: 'ada',
  };
  const answerable = () => {
    api.on(routes.attempts.get, () => ({ ...waiting, ...evidence }));
    api.on(routes.attempts.answer, () => given);
  };
  const sent = () => JSON.parse(api.seen.find(({ method }) => method === 'POST')?.body ?? 'null');

  test('a waiting turn is listed with the last message of the agent and the id to reply by', async () => {
    api.on(routes.runs.get, () => race);
    api.on(routes.runs.attempts, () => ({ items: [waiting], next_cursor: null }));
    const listed = await command(['run', 'turns', race.id], { env });
    expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining(waiting.id) });
    expect(listed.stdout).toMatch(/Which.*one\?/);
    expect(listed.stdout).not.toContain('\u001b[2J');
    expect(api.seen.at(-1)?.query.get('state')).toBe('parked');
  });

  test('a waiting turn takes its reply from the argument, or from standard input unchanged', async () => {
    answerable();
    expect(await command(['run', 'answer', waiting.id, 'The left.'], { env })).toMatchObject({ code: 0 });
    expect(sent()).toEqual({ turn_index: 2, message: 'The left.' });
    api.reset();
    answerable();
    const piped = await command(['run', 'answer', waiting.id], { env, stdin: 'The left.\nPlease.\n' });
    expect(piped).toMatchObject({ code: 0, stdout: expect.stringContaining('Replied to turn 2') });
    expect(sent()).toEqual({ turn_index: 2, message: 'The left.\nPlease.' });
  });

  test('an empty reply is refused, and so is one where no turn waits', async () => {
    answerable();
    expect(await command(['run', 'answer', waiting.id], { env, stdin: '' })).toMatchObject({ code: 64 });
    api.on(routes.attempts.get, () => ({ ...waiting, ...evidence, state: 'running' as const, awaits: null }));
    const refused = await command(['run', 'answer', waiting.id, 'x'], { env });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('not waiting for input') });
    expect(sent()).toBeNull();
  });

  test('a manual phase can be requested for a waiting attempt', async () => {
    answerable();
    const requested = {
      attempt_id: waiting.id,
      phase_id: 'more',
      requested_at: given.given_at,
      requested_by: 'ada',
    };
    api.on(routes.attempts.requestPhase, () => requested);
    expect(await command(['run', 'phase', waiting.id, 'more'], { env })).toMatchObject({ code: 0 });
    expect(sent()).toEqual({ phase_id: 'more' });
  });
});
