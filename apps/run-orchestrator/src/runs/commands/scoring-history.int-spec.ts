import { attempts, evidence, type HistoryEvent, scoringEvents } from '@agentclash/contracts';
import { publish, wordPack } from '@agentclash/run-rules/testing/published-pack';
import { newId } from '@agentclash/service-kit';
import { waitFor } from '@agentclash/testkit';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { emit, emitEvents, eventsOf } from '../../testing/emitted-events.js';
import {
  claim,
  executeAttempt,
  finish,
  identityOf,
  resultOf,
  WHOLE_HISTORY,
} from '../../testing/executor.js';
import { openOrchestrator } from '../../testing/orchestrator-fixture.js';

const fixture = await openOrchestrator();
const { fakes, workspaceId: workspace_id } = fixture;

describe('the scoring of an attempt is in its history', () => {
  let runId = '';
  let attemptId = '';

  const historyOf = async (): Promise<HistoryEvent[]> => {
    const request = { workspace_id, attempt_id: attemptId, after: 0, limit: 200 };
    return (await fixture.bus.call(attempts.events, request)).items;
  };
  const evidenceOf = async () => {
    const { items } = await fixture.bus.call(evidence.get, { workspace_id, attempt_ids: [attemptId] });
    return items.map(({ events }) => events);
  };
  const score = async (revision: number, more: object) => {
    const [attempt] = await fixture.attempts(runId);
    const item = {
      ...{ run_agent_id: attempt?.run_agent_id ?? '', attempt_id: attemptId, delivery: 1, revision },
      ...{ overall: 1, passed: true, validity: 'valid', failure: null },
      ...more,
    };
    await fixture.bus.publish(
      scoringEvents.attemptsScored,
      { workspace_id, run_id: runId, items: [item] },
      newId(),
    );
  };

  beforeAll(async () => {
    fakes.execute = (job, bus) => executeAttempt(job, bus);
    const pack = fakes.add(publish(wordPack(1)));
    const { id } = await fixture.createRun(pack.version.id, [await fixture.scripted('scored')]);
    runId = id;
    await fixture.expectRunStatus(runId, 'completed');
    attemptId = (await fixture.attempts(runId))[0]?.id ?? '';
  });

  test('scoring events follow those of the executor, without a gap', async () => {
    const history = await historyOf();
    expect(history.map(({ event_type }) => event_type)).toEqual([
      ...WHOLE_HISTORY,
      'scoring.started',
      'scoring.completed',
    ]);
    expect(history.map(({ sequence_number }) => sequence_number)).toEqual([1, 2, 3, 4, 5]);
    expect(history.slice(3).map(({ source }) => source)).toEqual(['worker_scoring', 'worker_scoring']);
    expect(history.at(-1)?.payload).toEqual({ overall: 1, passed: true, validity: 'valid' });
  });

  test('scoring events are streamed before the verdict of the attempt', async () => {
    const types = (await fixture.history(runId)).map(({ event_type }) => event_type);
    const at = types.indexOf('scoring.completed');
    expect(types[at - 1]).toBe('scoring.started');
    expect(types[at + 1]).toBe('run.attempt_scored');
  });

  test('scoring events are never among the evidence that is graded', async () => {
    const [events] = await evidenceOf();
    expect(events?.map(({ event_type }) => event_type)).toEqual(WHOLE_HISTORY);
  });

  test('a rescoring appends its own events, with its metrics, and a repeated one adds nothing', async () => {
    const metrics = [{ key: 'tokens', state: 'available', value: 12 }];
    const before = await evidenceOf();
    await score(2, { metrics });
    await score(2, { metrics });
    await score(3, { failure: { code: 'internal', message: 'broken' }, overall: null, passed: null });
    const history = await waitFor(async () => {
      const found = await historyOf();
      return found.length === 10 && found;
    });
    expect(
      history
        .slice(5)
        .map(({ sequence_number, event_type, payload }) => [sequence_number, event_type, payload]),
    ).toEqual([
      [6, 'scoring.started', { revision: 2 }],
      [7, 'scoring.metric.recorded', metrics[0]],
      [8, 'scoring.completed', { overall: 1, passed: true, validity: 'valid' }],
      [9, 'scoring.started', { revision: 3 }],
      [10, 'scoring.failed', { code: 'internal', message: 'broken' }],
    ]);
    expect(await evidenceOf()).toEqual(before);
    const positions = (await fixture.history(runId)).map(({ position }) => position);
    expect(positions).toEqual(positions.map((_position, index) => index + 1));
  });

  test('an executor that returns late cannot write between scoring events', async () => {
    const delivery = { workspace_id, run_id: runId, attempt_id: attemptId, delivery: 1 };
    await emitEvents(
      fixture.bus,
      delivery,
      eventsOf(delivery, { first: 11, types: ['system.step.started'] }),
    );
    await score(4, {});
    const history = await waitFor(async () => {
      const found = await historyOf();
      return found.length === 12 && found;
    });
    expect(history.slice(10).map(({ event_type }) => event_type)).toEqual([
      'scoring.started',
      'scoring.completed',
    ]);
  });
});

test('the messages of a model call are in the history, and never among the evidence that is graded', async () => {
  const types = ['system.run.started', 'model.call.started', 'model.call.messages', 'system.run.completed'];
  fakes.execute = async ({ attempt_id }, bus) => {
    const claimed = await claim(bus, attempt_id, 'executor-1');
    if (!claimed.claimed) return;
    const lease = { attempt_id, delivery: claimed.delivery, executor_id: 'executor-1' };
    await emit(bus, identityOf(claimed), { types });
    await finish(bus, lease, resultOf({ last_sequence: types.length }));
  };
  const pack = fakes.add(publish(wordPack(1)));
  const { id: run_id } = await fixture.createRun(pack.version.id, [await fixture.scripted('prompted')]);
  await fixture.expectRunStatus(run_id, 'completed');
  const [attempt] = await fixture.attempts(run_id);
  const attempt_id = attempt?.id ?? '';
  const { items: history } = await fixture.bus.call(attempts.events, { workspace_id, attempt_id });
  expect(history.map(({ event_type }) => event_type).slice(0, 4)).toEqual(types);
  const { items } = await fixture.bus.call(evidence.get, { workspace_id, attempt_ids: [attempt_id] });
  expect(items[0]?.events.map(({ event_type }) => event_type)).toEqual([
    'system.run.started',
    'model.call.started',
    'system.run.completed',
  ]);
});
