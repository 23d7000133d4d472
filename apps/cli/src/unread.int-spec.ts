import { routes } from '@agentclash/api';
import { waitFor } from '@agentclash/testkit';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { command, startCommand } from './testing/command.js';
import { attemptEvents, events, packVersion, run, runAgent } from './testing/factories.js';
import { useFakeApi } from './testing/fake-api.js';

const { api, env } = useFakeApi();
beforeEach(() => api.reset());

describe('when stdout has no reader', () => {
  const race = run();
  const lane = runAgent('solver', 1);
  const history = events(race.id, [
    { event_type: 'run.state_changed', payload: { from: 'queued', to: 'running' } },
    ...attemptEvents(lane, 'small', { passed: false, overall: 0 }),
    { event_type: 'run.completed', payload: { status: 'failed' } },
  ]);

  beforeEach(() => {
    api.on(routes.runs.get, () => ({ ...race, status: 'failed' as const }));
    api.on(routes.runs.list, () => ({ items: Array.from({ length: 200 }, () => run()), next_cursor: null }));
    api.on(routes.runs.agents, () => ({ items: [lane] }));
    api.on(routes.versions.get, () => packVersion());
    api.on(routes.runs.ranking, () => ({ run_id: race.id, state: 'ready' as const, revision: 1, items: [] }));
  });

  test.each([[['--json']], [[]]])(
    'a followed run that fails ends with 1 without a reader of stdout, with %j',
    async (more) => {
      api.stream(routes.runs.events, history);
      const words = ['run', 'show', race.id, '--follow', ...more];
      expect(await command(words, { env, isUnread: true })).toMatchObject({ code: 1 });
    },
  );

  test('a list without a reader is no failure, nor is help', async () => {
    expect(await command(['run', 'list'], { env, isUnread: true })).toMatchObject({ code: 0, stderr: '' });
    expect(await command(['--help'], { isUnread: true })).toMatchObject({ code: 0, stderr: '' });
  });

  test('a full disk is reported in a line, and is no verdict', async () => {
    const { code, stderr } = await command(['run', 'list'], { env, stdoutTo: '/dev/full' });
    expect(code).toBe(75);
    expect(stderr).toBe('error ENOSPC: no space left on device, write\n');
  });

  test('events without a reader are not followed any further', async () => {
    api.stream(routes.runs.events, history, { staysOpen: true });
    const words = ['run', 'events', race.id, '--follow'];
    expect(await command(words, { env, isUnread: true })).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('events that are followed', () => {
  test('followed events continue when the server is reachable again, without duplicates', async () => {
    const race = run();
    const lane = runAgent('solver', 1);
    const history = events(race.id, attemptEvents(lane, 'small', { passed: true, overall: 1 }));
    api.on(routes.runs.get, () => race);
    api.on(routes.runs.agents, () => ({ items: [lane] }));
    api.stream(routes.runs.events, history.slice(0, 3), { staysOpen: true });
    const { stderr, stdout, ended } = startCommand(['run', 'events', race.id, '--follow', '--json'], { env });
    await waitFor(() => stdout().split('\n').length === 4);
    api.fail(routes.runs.events, { status: 503, code: 'unavailable', detail: 'away' });
    api.hangUp();
    await waitFor(() => stderr().includes('Connection lost'));
    api.stream(routes.runs.events, history);
    const { code, stdout: all } = await ended;
    expect(code).toBe(0);
    expect(stderr()).toContain('Connection restored');
    const lines = all.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(history);
  });
});
