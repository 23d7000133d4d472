import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import picocolors from 'picocolors';
import { displayWidth } from '../terminal/width.js';
import { attemptStory, events, run, runAgent } from '../testing/factories.js';
import { Board } from './board.js';
import { renderBoard } from './render.js';

const plain = picocolors.createColors(false);
const colored = picocolors.createColors(true);

function board(): Board {
  const race = run({ name: 'nightly' });
  const lanes = [runAgent('solver', 4), runAgent('noop', 4)] as const;
  const shown = new Board(race, lanes);
  const history = events(race.id, [
    { event_type: 'run.state_changed', payload: { to: 'running' } },
    ...attemptStory(lanes[0], 'small', { passed: true, overall: 1 }),
    ...attemptStory(lanes[0], 'large', { passed: true, overall: 0.5 }).slice(0, 3),
  ]);
  for (const event of history) shown.advance(event);
  return shown;
}

describe('the rendered board', () => {
  test('has a head, and for each lane its figures and what it is at', () => {
    const shown = board();
    const nowMs = Date.parse(shown.startedAt ?? '') + 10_000;
    expect(renderBoard(shown, { nowMs, columns: 100, paint: plain })).toEqual([
      'nightly  sums v1 / default  running  1/8  10 s  ETA 1 m 10 s',
      'solver  █████░░░░░░░░░░░░░░░  1/4  score 1.000  passed 1/1  120 tokens  $0.0100',
      '  large #1 running step 1 read_file',
      'noop    ░░░░░░░░░░░░░░░░░░░░  0/4  score -  passed -',
      '  waiting',
    ]);
  });

  test('no line is ever wider than the screen, whatever the names hold', () => {
    const names = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(names, fc.integer({ min: 20, max: 120 }), (lanes, columns) => {
        const shown = new Board(
          run({ name: lanes.join() }),
          lanes.map((name) => runAgent(name, 3)),
        );
        for (const line of renderBoard(shown, { nowMs: 0, columns, paint: colored })) {
          expect(displayWidth(line)).toBeLessThanOrEqual(columns);
          expect(line).not.toContain('\n');
        }
      }),
    );
  });
});
