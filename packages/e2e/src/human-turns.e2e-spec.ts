import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Attempt, type Client, createClient, routes } from '@agentclash/api';
import { type RunningStack, startLocalStack } from '@agentclash/local-stack';
import { waitFor } from '@agentclash/testkit';
import { slowdown } from '@agentclash/testkit/event-loop';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';

jest.setTimeout(120_000);

const PACK = `pack: {slug: talks, name: Talks, family: talks}
version:
  number: 1
  execution_mode: multi_turn
  tool_policy: {allowed_tool_kinds: [file]}
  evaluation_spec:
    name: talks
    version_number: 1
    judge_mode: deterministic
    validators:
      - {key: kept, type: contains, target: final_output, expected_from: 'literal:Thanks'}
    scorecard: {dimensions: [correctness], pass_threshold: 1}
challenges:
  - {key: talk, title: Talk, category: talks, difficulty: easy, instructions: Talk.}
input_sets:
  - key: all
    name: All
    cases:
      - challenge_key: talk
        case_key: case-1
        payload: {}
        user_simulator:
          schema_version: 1
          kind: hybrid
          phases:
            - {id: reply, actor: human, trigger: always, timeout_ms: 90000}
            - {id: extra, actor: scripted, trigger: manual, turns: [{message: More.}]}
`;

const steps = [
  { call: { name: 'write_file', arguments: { path: 'kept.txt', content: 'kept' } } },
  { message: 'Thanks.' },
  { call: { name: 'read_file', arguments: { path: 'kept.txt' } } },
  { message: 'Thanks again.' },
];

describe('people in the conversations of a race', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'agentclash-people-'));
  let stack: RunningStack;
  let client: Client;
  let versionId: string;
  let deploymentId: string;

  beforeAll(async () => {
    chmodSync(folder, 0o755);
    stack = await startLocalStack({
      allowLoopbackEndpoints: true,
      data: path.join(folder, 'data'),
      writeUserFile: false,
    });
    client = createClient({ baseUrl: stack.url, token: stack.token, workspace: 'default' });
    const published = await client.call(routes.packs.publish, { body: PACK });
    versionId = published.challenge_pack_version_id;
    const body = { name: 'talker', kind: 'scripted' as const, config: { steps } };
    deploymentId = (await client.call(routes.deployments.create, { body })).id;
  }, 120_000);
  afterAll(async () => {
    await stack?.close();
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  async function untilItWaits(repetitions = 1): Promise<{ run_id: string; waiting: Attempt[] }> {
    const body = { challenge_pack_version_id: versionId, deployment_ids: [deploymentId], repetitions };
    const { id: run_id } = await client.call(routes.runs.create, { body });
    const parked = { params: { run_id }, query: { state: 'parked' as const } };
    const waiting = await waitFor(
      async () => {
        const { items } = await client.call(routes.runs.attempts, parked);
        return items.length === repetitions && items;
      },
      { timeoutMs: 60_000, intervalMs: 200 },
    );
    return { run_id, waiting };
  }

  const ended = (run_id: string) =>
    waitFor(
      async () => {
        const run = await client.call(routes.runs.get, { params: { run_id } });
        return ['completed', 'failed', 'cancelled'].includes(run.status) && run;
      },
      { timeoutMs: 60_000, intervalMs: 200 },
    );

  test('people see the turn that waits for them, reply once, and may require more', async () => {
    const { run_id, waiting } = await untilItWaits(3);
    for (const { id: attempt_id, awaits } of waiting) {
      expect(awaits).toMatchObject({ turn_index: 0, phase_id: 'reply' });
      const params = { attempt_id };
      const wrong = { turn_index: 7, message: 'x' };
      await expect(client.call(routes.attempts.answer, { params, body: wrong })).rejects.toMatchObject({
        status: 409,
      });
      await client.call(routes.attempts.requestPhase, { params, body: { phase_id: 'extra' } });
      const body = { turn_index: 0, message: 'Please.' };
      const accepted = await client.call(routes.attempts.answer, { params, body });
      expect(await client.call(routes.attempts.answer, { params, body })).toEqual(accepted);
    }
    const { progress, status } = await ended(run_id);
    expect({ status, progress }).toMatchObject({ status: 'completed', progress: { passed: 3, scored: 3 } });
    const params = { attempt_id: waiting[0]?.id ?? '' };
    const { items } = await client.call(routes.attempts.events, { params, query: { limit: 200 } });
    expect(items.map(({ sequence_number }) => sequence_number)).toEqual(items.map((_, index) => index + 1));
    const messages = items.filter(({ event_type }) => event_type === 'turn.user.message');
    expect(messages.map(({ payload }) => payload.message)).toEqual(['Please.', 'More.']);
    expect(items.filter(({ event_type }) => event_type === 'sandbox.created')).toHaveLength(1);
    const late = client.call(routes.attempts.requestPhase, { params, body: { phase_id: 'extra' } });
    await expect(late).rejects.toMatchObject({ status: 409 });
  });

  test('a cancelled run stops waiting for people within seconds', async () => {
    const { run_id, waiting } = await untilItWaits();
    const cancelledAt = Date.now();
    await client.call(routes.runs.cancel, { params: { run_id } });
    const params = { attempt_id: waiting[0]?.id ?? '' };
    await waitFor(
      async () => (await client.call(routes.attempts.get, { params })).outcome === 'cancelled',
      {},
    );
    expect(Date.now() - cancelledAt).toBeLessThan(10_000 * slowdown());
    const body = { turn_index: 0, message: 'too late' };
    await expect(client.call(routes.attempts.answer, { params, body })).rejects.toMatchObject({
      status: 409,
    });
  });
});
