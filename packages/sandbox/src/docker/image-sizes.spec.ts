import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sizeOf } from './image-sizes.js';

const image = (Size: number, ...Layers: string[]) => ({ Size, RootFS: { Layers } });

describe('the size of images that share layers', () => {
  test('an image counts with what it adds to the one that it is based on', () => {
    expect(sizeOf([image(100, 'a'), image(130, 'a', 'b'), image(150, 'a', 'b', 'c')])).toBe(150);
    expect(sizeOf([image(100, 'a'), image(130, 'a', 'b'), image(120, 'a', 'c')])).toBe(150);
  });

  test('what images of others have is not counted', () => {
    expect(sizeOf([image(101, 'a', 'b')], [image(100, 'a')])).toBe(1);
    expect(sizeOf([], [image(100, 'a')])).toBe(0);
  });

  test('two images with the same layers count once, and one without known layers in full', () => {
    expect(sizeOf([image(100, 'a'), image(100, 'a')])).toBe(100);
    expect(sizeOf([image(100), image(100)])).toBe(200);
  });

  test('it is that of all layers of a tree of images', () => {
    const tree = fc.array(fc.record({ parent: fc.nat(20), bytes: fc.nat(1000) }), { maxLength: 12 });
    fc.assert(
      fc.property(tree, (nodes) => {
        const images: ReturnType<typeof image>[] = [];
        for (const [index, { parent, bytes }] of nodes.entries()) {
          const base = parent < index ? images[parent] : undefined;
          const layers = [...(base?.RootFS.Layers ?? []), `layer-${index}`];
          images.push(image((base?.Size ?? 0) + bytes, ...layers));
        }
        expect(sizeOf(images)).toBe(nodes.reduce((sum, { bytes }) => sum + bytes, 0));
      }),
    );
  });
});
