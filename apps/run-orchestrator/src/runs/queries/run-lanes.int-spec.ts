import { type HistoryEvent, type Out, type RecordedEvent, runs } from '@agentclash/contracts';
import { describe, expect, test } from '@jest/globals';
import { claim, finish, identityOf, renew, resultOf } from '../../testing/executor.js';
import { emitEvents, eventsOf } from '../../testing/fake-services.js';
import { publish, wordPack } from '../../testing/published-pack.js';
import { openStage } from '../../testing/stage.js';

const stage = await openStage();
const { fakes, workspaceId: workspace_id } = stage;

const ENDED = { types: ['system.run.started', 'system.output.finalized', 'system.run.completed'] };
const PAID = { usage: { input: 70, output: 30, total: 100 }, cost_usd: 0.25 };

type Lanes = Out<typeof runs.agents>;

describe('the lanes of a run', () => {
  const pack = fakes.add(publish(wordPack(6)));

  test('count exactly the events up to their position, at whatever moment they are read', async () => {
    fakes.execute = async ({ attempt_id }, bus) => {
      const lease = { attempt_id, delivery: 1, executor_id: 'e' };
      const claimed = await claim(bus, attempt_id, 'e');
      if (!claimed.claimed) return;
      await renew(bus, lease, 'running');
      const delivery = identityOf(claimed);
      const [{ run_agent_id }] = [
        (await stage.attempts(delivery.run_id)).find(({ id }) => id === attempt_id) ?? {},
      ];
      const received = eventsOf(delivery, ENDED).map((event): HistoryEvent => {
        const payload = event.event_type === 'system.run.completed' ? PAID : event.payload;
        return { ...event, ...(run_agent_id && { run_agent_id }), payload };
      });
      await emitEvents(bus, delivery, received);
      await finish(bus, lease, resultOf());
    };
    const agents = [await stage.scripted('one'), await stage.scripted('two')];
    const { id: run_id } = await stage.createRun(pack.version.id, agents);
    const readings: Lanes[] = [];
    do readings.push(await stage.bus.call(runs.agents, { workspace_id, run_id }));
    while ((await stage.run(run_id)).status !== 'completed');
    const history = await stage.history(run_id);
    for (const { items, position } of readings) {
      const known = history.filter((event) => event.position <= (position ?? 0));
      expect(items.map(figuresOf)).toEqual(items.map(({ id }) => counted(known, id)));
    }
    const last = await stage.bus.call(runs.agents, { workspace_id, run_id });
    expect(last.position).toBe(history.length);
    expect(last.items.map(({ tally }) => tally)).toEqual([
      { judged: 6, graded: 6, tokens: 600, cost_usd: 1.5 },
      { judged: 6, graded: 6, tokens: 600, cost_usd: 1.5 },
    ]);
  });
});

function figuresOf({ progress, tally }: Lanes['items'][number]) {
  return { finished: progress.finished, scored: progress.scored, tokens: tally?.tokens };
}

function counted(history: readonly RecordedEvent[], agentId: string) {
  const ofAgent = history.filter(({ run_agent_id }) => run_agent_id === agentId);
  const count = (type: string, isMeant: (event: RecordedEvent) => boolean = () => true) =>
    ofAgent.filter((event) => event.event_type === type && isMeant(event)).length;
  return {
    finished: count('attempt.state_changed', ({ payload }) => payload.to === 'finished'),
    scored: count('run.attempt_scored'),
    tokens: 100 * count('system.run.completed'),
  };
}
