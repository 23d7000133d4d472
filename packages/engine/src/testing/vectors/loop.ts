import type { VectorDriver } from '@agentclash/testkit/vectors';
import { expect } from 'expect';
import { type AttemptEnd, outcomeOf } from '../../outcome/attempt-end.js';
import { play, type ScriptedLoop } from '../scripted-loop.js';

interface LoopVector extends ScriptedLoop {
  id: string;
  expect: Record<string, unknown>;
}

function summaryOf(end: AttemptEnd) {
  const { outcome, finishedBy, code, limit } = outcomeOf(end);
  return {
    outcome,
    finished_by: finishedBy,
    code,
    limit,
    ...(end.because === 'completed' && { final_output: end.output }),
  };
}

export const driver: VectorDriver<LoopVector> = {
  async run(vector) {
    const { end, emitted: _, ...played } = await play(vector);
    expect({ ...played, ...summaryOf(end) }).toMatchObject(vector.expect);
  },
};
