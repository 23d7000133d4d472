import { ATTEMPT_STATES, RUN_STATUSES } from '@agentclash/domain';
import { describe, expect, test } from '@jest/globals';
import { decideReply, type TurnFacts } from './human-turn.js';

const now = new Date('2026-01-01T00:00:00Z');
const awaited = { turnIndex: 2, phaseId: 'human', deadlineAt: new Date(now.getTime() + 1) };
const waits: TurnFacts = { state: 'parked', runStatus: 'running', awaited, given: [] };
const reply = { turnIndex: 2, message: 'continue' };

describe('a human turn', () => {
  test('a human turn to the waiting turn is accepted', () => {
    expect(decideReply(reply, waits, now)).toEqual({ accept: { phaseId: 'human' } });
  });

  test.each([1, 3])('a human turn to turn %i, which does not wait, is refused', (turnIndex) => {
    expect(decideReply({ ...reply, turnIndex }, waits, now)).toEqual({
      refuse: expect.stringContaining('turn 2 does'),
    });
  });

  test('a human turn is refused from its deadline on', () => {
    expect(decideReply(reply, waits, awaited.deadlineAt)).toHaveProperty('refuse');
  });

  test('a human turn that was given before is a repeat in any state of the attempt; another one is refused', () => {
    const given = [{ phaseId: 'human', turnIndex: 2, message: 'continue' }];
    for (const state of ATTEMPT_STATES) {
      const facts = { ...waits, state, given };
      expect(decideReply(reply, facts, now)).toEqual({ repeat: given[0] });
      expect(decideReply({ ...reply, message: 'stop' }, facts, now)).toHaveProperty('refuse');
    }
  });

  test.each(ATTEMPT_STATES.filter((state) => state !== 'parked'))(
    'a human turn to an attempt that is %s is refused',
    (state) => {
      expect(decideReply(reply, { ...waits, state }, now)).toHaveProperty('refuse');
    },
  );

  test.each(RUN_STATUSES.map((status) => [status]))(
    'a human turn in a run that is %s counts only while the run has not ended',
    (runStatus) => {
      const isOver = ['completed', 'failed', 'cancelled'].includes(runStatus);
      expect('refuse' in decideReply(reply, { ...waits, runStatus }, now)).toBe(isOver);
    },
  );
});
