import { etaMs } from '@agentclash/api';
import { expectedEtaMs } from '@agentclash/api/testing/lane-figures';
import { raceHistory } from '@agentclash/api/testing/race-history';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { run } from '../testing/factories.js';
import { Board } from './render.js';

test('the terminal shows the ETA that the page of the race shows, also after a retry', () => {
  fc.assert(
    fc.property(raceHistory, fc.nat(), fc.nat(60_000), ({ agents, events }, at, laterMs) => {
      const known = events.slice(0, at % (events.length + 1));
      const board = new Board(run({}), agents as never);
      for (const event of known) board.apply(event);
      const nowMs = Date.parse(known.at(-1)?.occurred_at ?? '2026-01-01T00:00:00Z') + laterMs;
      const expected = agents.map((agent) => expectedEtaMs(known, agent, nowMs));
      expect(board.lanes.map((lane) => etaMs(lane, nowMs))).toEqual(expected);
    }),
  );
});
