import { expect, test } from '@jest/globals';
import { planEviction } from './eviction.js';

const HOUR = 3_600_000;
const image = (digest: string, diffIds: string[], unusedMs: number) => ({
  digest,
  reference: digest,
  names: [],
  env: {},
  diffIds,
  unusedMs,
});
const layer = (diffId: string, bytes: number, ageMs = 10 * HOUR) => ({ diffId, bytes, ageMs });

test('the images that were unused for longest leave, until the layers of the others fit', () => {
  const images = [
    image('old', ['base', 'a'], 3 * HOUR),
    image('older', ['base', 'b'], 5 * HOUR),
    image('new', ['base', 'c'], HOUR),
  ];
  const layers = [layer('base', 50), layer('a', 20), layer('b', 20), layer('c', 20)];
  expect(planEviction({ images, layers }, 110)).toEqual({ images: [], layers: [] });
  expect(planEviction({ images, layers }, 100)).toEqual({ images: ['older'], layers: ['b'] });
  expect(planEviction({ images, layers }, 0)).toEqual({
    images: ['older', 'old', 'new'],
    layers: ['base', 'a', 'b', 'c'],
  });
});

test('an image in use and a layer that is just being made stay, whatever the limit', () => {
  const images = [image('used', ['a'], 60_000), image('idle', ['b'], HOUR)];
  const layers = [layer('a', 50), layer('b', 50), layer('made', 50, 60_000)];
  expect(planEviction({ images, layers }, 0)).toEqual({ images: ['idle'], layers: ['b'] });
});

test('a layer of no image leaves', () => {
  expect(planEviction({ images: [], layers: [layer('left', 1)] }, 100)).toEqual({
    images: [],
    layers: ['left'],
  });
});
