import { routes } from '@agentclash/api';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { command, removeFolders } from './testing/command.js';
import { attempt, run } from './testing/factories.js';
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

  test('is listed with the last message of the agent and the id to reply by', async () => {
    api.on(routes.runs.get, () => race);
    api.on(routes.runs.attempts, () => ({ items: [waiting], next_cursor: null }));
    const listed = await command(['run', 'turns', race.id], { env });
    expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining(waiting.id) });
    expect(listed.stdout).toMatch(/Which.*one\?/);
    expect(listed.stdout).not.toContain('\u001b[2J');
    expect(api.seen.at(-1)?.query.get('state')).toBe('parked');
  });

  test('takes its reply from the argument, or from standard input unchanged', async () => {
    answerable();
    expect(await command(['run', 'answer', waiting.id, 'The left.'], { env })).toMatchObject({ code: 0 });
    expect(sent()).toEqual({ turn_index: 2, message: 'The left.' });
    api.reset();
    answerable();
    const piped = await command(['run', 'answer', waiting.id], { env, stdin: 'The left.\nPlease.\n' });
    expect(piped).toMatchObject({ code: 0, stdout: expect.stringContaining('Replied to turn 2') });
    expect(sent()).toEqual({ turn_index: 2, message: 'The left.\nPlease.' });
  });

  test('takes no empty reply, and none where no turn waits', async () => {
    answerable();
    expect(await command(['run', 'answer', waiting.id], { env, stdin: '' })).toMatchObject({ code: 64 });
    api.on(routes.attempts.get, () => ({ ...waiting, ...evidence, state: 'running' as const, awaits: null }));
    const refused = await command(['run', 'answer', waiting.id, 'x'], { env });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('not waiting for input') });
    expect(sent()).toBeNull();
  });

  test('is not all that can be requested: so can a manual phase', async () => {
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
