import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { breaksBetween, shapeOf } from './shape.js';

const Then = z.object({
  id: z.string(),
  limit: z.number().optional(),
  items: z.array(z.object({ name: z.string() })),
  actor: z
    .discriminatedUnion('kind', [z.object({ kind: z.literal('user'), name: z.string() })])
    .nullable()
    .optional(),
});
const then = shapeOf(Then);

test('a shape names the members of every object', () => {
  expect(then).toEqual({ '': 'actor? id items limit?', 'items[]': 'name', actor: 'kind name' });
});

test('a schema that holds itself has a shape', () => {
  interface Tree {
    leaves: Tree[];
  }
  const Tree: z.ZodType<Tree> = z.object({ leaves: z.lazy(() => z.array(Tree)) });
  expect(shapeOf(Tree)['']).toBe('leaves');
});

describe('a contract breaks', () => {
  const { id, limit, items } = Then.shape;
  const changes: [string, z.ZodType, string[]][] = [
    ['when a member is renamed', Then.omit({ limit: true }).extend({ most: limit }), ['limit is gone']],
    ['when one becomes required', Then.extend({ limit: z.number() }), ['limit must be there now']],
    ['when one may be left out', Then.extend({ id: id.optional() }), ['id may be absent now']],
    ['when a new one is required', Then.extend({ more: z.string() }), ['more is new and must be there']],
    [
      'when it does so deep inside',
      Then.extend({ items: z.array(items.element.extend({ name: z.string().optional() })) }),
      ['items[].name may be absent now'],
    ],
  ];
  test.each(changes)('a contract breaks %s', (_when, now, breaks) => {
    expect(breaksBetween(then, shapeOf(now))).toEqual(breaks);
  });

  test('a contract does not break when it gains optional members, whatever they hold', () => {
    const now = Then.extend({ more: z.object({ name: z.string() }).optional() });
    expect(breaksBetween(then, shapeOf(now))).toEqual([]);
  });
});
