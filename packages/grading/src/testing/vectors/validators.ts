import type { VectorDriver } from '@agentclash/testkit/vectors';
import { expect } from 'expect';
import { leastBlockMs } from '../event-loop.js';
import { judge, type Trial } from '../judge.js';

type Text = string | { repeat: string; count: number } | { concat: Text[] };

interface ValidatorVector extends Omit<Trial, 'actual' | 'expected'> {
  id: string;
  type: string;
  actual?: Text | null;
  expected?: Text | null;
  limits?: { event_loop_block_ms: number };
  want: Record<string, unknown> & { score: number | null };
}

export const driver: VectorDriver<ValidatorVector> = {
  async run({ type, want, limits, ...vector }) {
    const trial: Trial = { ...vector, actual: textOf(vector.actual), expected: textOf(vector.expected) };
    const result = await judge(type, trial);
    const { score, ...rest } = want;
    expect(result).toMatchObject(rest);
    if (score === null) expect(result.score).toBeNull();
    else expect(Math.abs((result.score ?? Number.NaN) - score)).toBeLessThan(1e-6);
    if (limits === undefined) return;
    const { event_loop_block_ms: limitMs } = limits;
    expect(await leastBlockMs(() => judge(type, trial), limitMs)).toBeLessThanOrEqual(limitMs);
  },
};

function textOf<T extends null | undefined>(text: Text | T): string | T {
  if (text === null || text === undefined || typeof text === 'string') return text;
  return 'repeat' in text ? text.repeat.repeat(text.count) : text.concat.map((part) => textOf(part)).join('');
}
