import type { PlannedPhase } from '@agentclash/attempt-plan';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { afterTurn, entered, FIRST, graded, lastMessage, left, nextMove } from './progress.js';
import type { ConversationProgress } from './state.js';

const scripted = (
  id: string,
  messages: string[],
  trigger: PlannedPhase['trigger'] = 'always',
): PlannedPhase => ({
  id,
  trigger,
  actor: 'scripted',
  turns: messages.map((message) => ({ message, expects: [] })),
});
const simulated = (until: string[], turns_max: number | null = null): PlannedPhase => ({
  id: 'llm',
  trigger: 'always',
  actor: 'llm',
  persona: 'p',
  turns_max,
  until,
});
const human = (trigger: PlannedPhase['trigger']): PlannedPhase => ({
  id: 'human',
  trigger,
  actor: 'human',
  timeout_ms: 1,
  on_timeout: 'stop',
});

interface Playing {
  phases: PlannedPhase[];
  turns_max?: number;
  requested?: string[];
  /** The assistant's message in each turn, and whether it misses an expectation. */
  replies?: { text: string; mismatch?: boolean }[];
  userMessage?: string;
}

/** Plays a conversation to its end; returns the turns and the skipped phases in order. */
function play({ phases, turns_max = 50, requested = [], replies = [], userMessage = 'u' }: Playing) {
  const log: string[] = [];
  let progress: ConversationProgress = FIRST;
  for (let moves = 0; moves < 2_000; moves++) {
    const next = nextMove({ phases, turns_max }, progress);
    if (next.move === 'stop') return { log, cause: next.stop.cause, progress };
    if (next.move === 'leave') progress = left(progress);
    else if (next.move === 'take_turn') {
      const { text: reply, mismatch } = replies[progress.turns] ?? { text: 'a' };
      log.push(next.phase.id);
      progress = afterTurn(progress, { phase: next.phase, message: userMessage, reply, mismatch });
    } else if (
      next.move === 'enter' ||
      (next.move === 'check_request' && requested.includes(next.phase.id))
    ) {
      progress = entered(progress);
    } else {
      log.push(`-${next.phase.id}`);
      progress = left(progress);
    }
  }
  throw new Error('the conversation does not end');
}

describe('the phases of a conversation', () => {
  test('the phases of a conversation are played in order, each turn of a script once', () => {
    const { log, cause, progress } = play({ phases: [scripted('a', ['1', '2']), scripted('b', ['3'])] });
    expect(log).toEqual(['a', 'a', 'b']);
    expect(cause).toBe('phases_done');
    expect(progress).toMatchObject({ turns: 3, actors_used: ['scripted'] });
  });

  test.each([
    [[{ text: 'x', mismatch: true }], ['a', 'b']],
    [[{ text: 'x', mismatch: false }], ['a', '-b']],
    [[{ text: 'x' }], ['a', '-b']],
  ])('a phase is entered after a mismatch, and only then (%j)', (replies, log) => {
    const phases = [scripted('a', ['1']), scripted('b', ['2'], 'on_assistant_mismatch')];
    expect(play({ phases, replies }).log).toEqual(log);
  });

  test('a turn that expects nothing leaves the mismatch standing, one that is met clears it', () => {
    const phases = [scripted('a', ['1', '2']), scripted('b', ['3'], 'on_assistant_mismatch')];
    const missed = { text: 'x', mismatch: true };
    expect(play({ phases, replies: [missed, { text: 'y' }] }).log).toEqual(['a', 'a', 'b']);
    const met = play({ phases, replies: [missed, { text: 'y', mismatch: false }] });
    expect(met.log).toEqual(['a', 'a', '-b']);
    expect(met.progress.mismatch_turns).toEqual([0]);
  });

  test.each([
    [{ min_score: 0.5 }, 0.5, 'passed'],
    [{ min_score: 0.3 }, 0.1 + 0.2, 'passed'],
    [{ min_score: 0.5 }, 0.49, 'failed'],
    [{ min_score: 0 }, null, 'failed'],
    [{}, 0, 'passed'],
    [{}, null, 'passed'],
  ])('the gate %j with the score %j is %s', (bounds, score, gate) => {
    expect(graded(FIRST, { validator: 'tests', ...bounds }, score)).toEqual({ ...FIRST, gate });
  });

  test('a manual phase waits for a request, and triggers that are not executed never occur', () => {
    const first = scripted('a', ['1']);
    expect(play({ phases: [first, human('manual')] }).log).toEqual(['a', '-human']);
    expect(play({ phases: [first, human('manual')], requested: ['human'] }).log).toEqual(['a', 'human']);
    for (const trigger of ['never', 'on_validator_fail', 'on_judge_below', 'on_agent_loop'] as const) {
      expect(play({ phases: [first, human(trigger)] }).log).toEqual(['a', '-human']);
    }
  });

  test('a conversation ends at its limit of turns', () => {
    const { log, cause } = play({ phases: [scripted('a', ['1', '2', '3'])], turns_max: 2 });
    expect(log).toEqual(['a', 'a']);
    expect(cause).toBe('max_turns');
  });
});

describe('a simulated phase', () => {
  test.each([
    ['a text of the assistant, in any case', ['assistant_emitted:REFUND'], 'Your Refund is on its way', 1],
    ['a text of the user', ['user_token:bye'], 'a', 1],
    ['all conditions, not one of them', ['user_token:bye', 'assistant_emitted:refund'], 'no', 5],
    ['an unknown condition', ['agent_is_happy'], 'refund', 5],
    ['a blank text', ['assistant_emitted: '], 'a b', 5],
    ['an empty list', [], 'refund', 5],
    ['its own limit', ['max_turns'], 'refund', 5],
  ])('a simulated phase ends by %s', (_what, until, reply, turns) => {
    const replies = Array.from({ length: 50 }, () => ({ text: reply }));
    const { log } = play({ phases: [simulated(until, 5)], replies, userMessage: 'Good Bye' });
    expect(log).toHaveLength(turns);
  });

  test('a phase without a limit of its own continues to that of the conversation', () => {
    const { log, cause } = play({ phases: [simulated(['max_turns'])], turns_max: 7 });
    expect(log).toHaveLength(7);
    expect(cause).toBe('max_turns');
  });
});

test('every conversation ends within its turns, and both sides alternate', () => {
  const trigger = fc.constantFrom('always', 'manual', 'never', 'on_assistant_mismatch' as const);
  const phase = fc.oneof(
    fc
      .tuple(trigger, fc.array(fc.string(), { minLength: 1, maxLength: 5 }))
      .map(([t, turns]) => scripted('s', turns, t)),
    trigger.map(human),
    fc
      .tuple(fc.option(fc.nat(9)), fc.array(fc.constantFrom('max_turns', 'user_token:u', 'nonsense')))
      .map(([limit, until]) => simulated(until, limit)),
  );
  const replies = fc.array(
    fc.record({ text: fc.string(), mismatch: fc.option(fc.boolean(), { nil: undefined }) }),
  );
  fc.assert(
    fc.property(
      fc.array(phase, { maxLength: 8 }),
      fc.integer({ min: 1, max: 60 }),
      replies,
      (phases, turns_max, drawn) => {
        const { progress, log } = play({ phases, turns_max, replies: drawn });
        expect(progress.turns).toBeLessThanOrEqual(turns_max);
        expect(log.filter((id) => !id.startsWith('-'))).toHaveLength(progress.turns);
        expect(progress.transcript.map(({ role }) => role)).toEqual(
          Array.from({ length: progress.turns }, () => ['user', 'assistant']).flat(),
        );
        expect(lastMessage(progress.transcript, 'assistant')).toBe(progress.transcript.at(-1)?.message ?? '');
      },
    ),
  );
});
