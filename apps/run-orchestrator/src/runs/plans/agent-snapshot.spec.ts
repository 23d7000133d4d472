import type { Tool } from '@agentclash/contracts';
import { expect, test } from '@jest/globals';
import { pinnedTools } from './agent-snapshot.js';

const at = new Date(0).toISOString();
const tool = (name: string, to: string[], lifecycle_status: Tool['lifecycle_status'] = 'active'): Tool => ({
  id: `id-${name}`,
  name,
  tool_kind: 'composed',
  lifecycle_status,
  definition: { steps: to.map((ref, n) => ({ id: `s${n}`, ref: { type: 'tool', name: ref }, inputs: {} })) },
  created_at: at,
  updated_at: at,
});

test('a run pins the attached tools and all that they lead to, also inactive ones, and nothing else', () => {
  const all = [
    tool('a', ['b']),
    tool('b', ['c', 'read_file']),
    tool('c', ['a'], 'disabled'),
    tool('d', ['a']),
  ];
  expect(
    pinnedTools(['id-a'], all).map(({ name, attached, lifecycle_status }) => [
      name,
      attached,
      lifecycle_status,
    ]),
  ).toEqual([
    ['a', true, 'active'],
    ['b', false, 'active'],
    ['c', false, 'disabled'],
  ]);
});
