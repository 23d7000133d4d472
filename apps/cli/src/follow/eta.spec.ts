import { etaMs } from '@agentclash/api';
import { assertEtas } from '@agentclash/api/testing/lane-figures';
import { test } from '@jest/globals';
import { run } from '../testing/factories.js';
import { Board } from './render.js';

test('the terminal shows the ETA that the page of the race shows, also after a retry', () => {
  assertEtas(({ agents, events, nowMs }) => {
    const board = new Board(run({}), agents as never);
    for (const event of events) board.apply(event);
    return board.lanes.map((lane) => etaMs(lane, nowMs));
  });
});
