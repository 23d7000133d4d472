import type { AttemptEvent } from '@agentclash/domain';
import { expect, test } from '@jest/globals';
import { AttemptEvents } from '../events/attempt-events.js';
import { recordedProgress } from './image-progress.js';

class ManualClock {
  ms = 0;
  monotonic = () => this.ms;
  now = () => this.ms;
}

function recorder(eventsMax?: number) {
  const clock = new ManualClock();
  const recorded: AttemptEvent[] = [];
  const identity = {
    ...{ run_id: 'r', run_agent_id: 'a', attempt_id: 't', delivery: 1 },
    ...{ case_key: 'c', repetition: 1 },
  };
  const events = new AttemptEvents({
    ...{ identity, clock, eventsMax, redact: (value) => value, emit: (event) => void recorded.push(event) },
    ...{ source: 'native_engine', evidenceLevel: 'native_structured' },
  });
  return { clock, recorded, report: recordedProgress('image', { events, clock }) };
}

test('half an hour of frequent progress is a bounded number of events, the first after a second', () => {
  const { clock, recorded, report } = recorder();
  const totalBytes = 30 * 60_000;
  for (; clock.ms <= totalBytes; clock.ms += 10) report({ phase: 'pull', doneBytes: clock.ms, totalBytes });
  expect(recorded.length).toBeLessThan(130);
  expect(recorded[0]?.payload).toEqual({ image: 'image', phase: 'pull', percent: 0 });
  expect(recorded.at(-1)?.payload).toMatchObject({ percent: 100 });
  expect(recorded[0]).toMatchObject({ event_type: 'sandbox.image.progressed', source: 'sandbox' });
});

test('an image that is ready within a second has no event, and the same progress is recorded once', () => {
  const { clock, recorded, report } = recorder();
  report({ phase: 'pull', doneBytes: 1, totalBytes: 2 });
  expect(recorded).toEqual([]);
  for (const ms of [1_000, 100_000, 200_000]) {
    clock.ms = ms;
    report({ phase: 'build', line: 'x'.repeat(1_000) });
  }
  expect(recorded.map(({ payload }) => payload)).toEqual([
    { image: 'image', phase: 'build', line: 'x'.repeat(200) },
  ]);
});

test('progress takes no place in a history that is full', () => {
  const { clock, recorded, report } = recorder(1);
  for (const ms of [10_000, 100_000, 200_000]) {
    clock.ms = ms;
    report({ phase: 'build', line: String(ms) });
  }
  expect(recorded).toHaveLength(1);
});
