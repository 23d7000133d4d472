import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { layersToEvict } from './eviction.js';

const HOUR_MS = 60 * 60_000;
const layer = (directory: string, bytes: number, unusedHours: number) => ({
  directory,
  bytes,
  unusedMs: unusedHours * HOUR_MS,
});

describe('layers of packages that are to go', () => {
  test('layers that are unused for two weeks are evicted, whatever the free space is', () => {
    const layers = [layer('old', 1, 15 * 24), layer('young', 1, 13 * 24)];
    expect(layersToEvict(layers, { bytesMax: 100, keep: new Set() })).toEqual(['old']);
  });

  test('layers that are the longest unused are evicted until the rest fits', () => {
    const layers = [layer('a', 40, 1), layer('b', 40, 3), layer('c', 40, 2)];
    expect(layersToEvict(layers, { bytesMax: 80, keep: new Set() })).toEqual(['b']);
    expect(layersToEvict(layers, { bytesMax: 79, keep: new Set() })).toEqual(['b', 'c']);
  });

  test('layers in use are never evicted', () => {
    const any = fc.record({
      directory: fc.uuid(),
      bytes: fc.nat(1_000),
      unusedMs: fc.nat(40 * 24 * HOUR_MS),
    });
    fc.assert(
      fc.property(fc.array(any), fc.nat(5_000), (layers, bytesMax) => {
        const keep = new Set(layers.slice(0, 2).map(({ directory }) => directory));
        const gone = new Set(layersToEvict(layers, { bytesMax, keep }));
        const wrong = layers.filter(
          ({ directory, unusedMs }) => gone.has(directory) && (keep.has(directory) || unusedMs < 10 * 60_000),
        );
        expect(wrong).toEqual([]);
      }),
    );
  });
});
