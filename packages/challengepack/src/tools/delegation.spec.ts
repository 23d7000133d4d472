import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type DelegatingTool, Delegation, type Reach } from './delegation.js';

const tool = (name: string, delegate?: string): DelegatingTool => ({ name, delegate, isMock: false });

test('a tool that leads into a cycle is not part of it', () => {
  const delegation = new Delegation([tool('a', 'b'), tool('b', 'c'), tool('c', 'b'), tool('d', 'd')]);
  expect([0, 1, 2, 3].map((index) => delegation.reachOf(index).kind)).toEqual([
    'endless',
    'cycle',
    'cycle',
    'self',
  ]);
});

test('a mock ends a chain without being a hop', () => {
  const delegation = new Delegation([tool('a', 'm'), { name: 'm', delegate: undefined, isMock: true }]);
  expect(delegation.reachOf(0)).toEqual({ kind: 'ends', hops: 1, end: 'mock' });
  expect(delegation.chainOf(0)).toEqual([0, 1]);
});

test('a delegate with an ambiguous name resolves to the first tool of that name', () => {
  const delegation = new Delegation([tool('a', 'b'), tool('b', 'exec'), tool('b', 'submit')]);
  expect(delegation.reachOf(0)).toEqual({ kind: 'ends', hops: 2, end: 'exec' });
});

/** Follows one chain step by step. */
function follow(tools: readonly DelegatingTool[], start: number): Reach {
  const passed: number[] = [];
  let at = start;
  for (;;) {
    const delegate = tools[at]?.delegate;
    if (delegate === 'exec') return { kind: 'ends', hops: passed.length + 1, end: 'exec' };
    const next = tools.findIndex(({ name }) => name === delegate);
    if (next === start) return { kind: passed.length === 0 ? 'self' : 'cycle' };
    if (next === -1 || passed.includes(next)) return { kind: 'endless' };
    passed.push(at);
    at = next;
  }
}

test('every tool has the end of its followed chain', () => {
  const names = ['t0', 't1', 't2', 't3', 't4', 't5'];
  const delegates = fc.array(fc.constantFrom(...names, 'exec', 'nowhere'), { minLength: 6, maxLength: 6 });
  fc.assert(
    fc.property(delegates, (targets) => {
      const tools = names.map((name, index) => tool(name, targets[index]));
      const delegation = new Delegation(tools);
      for (const index of tools.keys()) expect(delegation.reachOf(index)).toEqual(follow(tools, index));
    }),
  );
});
