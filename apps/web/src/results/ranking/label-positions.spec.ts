import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { apart, labelPositions } from './label-positions.js';

const AREA = { right: 600, top: 10, bottom: 290, line: 14, gap: 10 };

const point = fc.record({
  x: fc.integer({ min: 50, max: 600 }),
  y: fc.integer({ min: 10, max: 290 }),
  width: fc.integer({ min: 5, max: 200 }),
});

describe('the labels of points', () => {
  test('no two labels overlap, however close their points are', () => {
    fc.assert(
      fc.property(fc.array(point, { maxLength: 8 }), (points) => {
        const boxes = labelPositions(points, AREA).map(({ x, y, isBefore }, index) => {
          const width = points[index]?.width ?? 0;
          return { y, from: isBefore ? x - width : x, to: isBefore ? x : x + width };
        });
        for (const [index, box] of boxes.entries()) {
          for (const other of boxes.slice(index + 1)) {
            const isApart = box.to <= other.from || other.to <= box.from;
            expect(isApart || Math.abs(box.y - other.y) >= AREA.line).toBe(true);
          }
        }
      }),
    );
  });

  test('a label that is alone is beside its point, before it where the right edge is near', () => {
    const [left, right] = labelPositions(
      [
        { x: 100, y: 50, width: 80 },
        { x: 590, y: 200, width: 80 },
      ],
      AREA,
    );
    expect(left).toEqual({ x: 110, y: 50, isBefore: false });
    expect(right).toEqual({ x: 580, y: 200, isBefore: true });
  });

  test('no label is on the axis below the area, however many there are', () => {
    const points = Array.from({ length: 40 }, () => ({ x: 100, y: AREA.bottom + 20, width: 80 }));
    for (const { y } of labelPositions(points, AREA)) expect(y).toBeLessThanOrEqual(AREA.bottom);
  });
});

test('the texts of ticks neither touch nor leave the drawing', () => {
  const textOf = (tick: number) => ({ middle: tick, width: 40 });
  expect(apart([0, 30, 60, 100, 200, 290], textOf, 300)).toEqual([30, 100, 200]);
});
