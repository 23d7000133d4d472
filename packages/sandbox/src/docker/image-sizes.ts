import type { ImageDetails } from './engine-objects.js';

type Sized = Pick<ImageDetails, 'Size' | 'RootFS'>;

/**
 * The bytes of images that share layers: an image counts with what it adds to the largest other one that it contains. Those of
 * `foreign` count nothing themselves.
 */
export function sizeOf(images: readonly Sized[], foreign: readonly Sized[] = []): number {
  const all = [...foreign, ...images];
  let bytes = 0;
  for (const [index, image] of images.entries()) {
    const at = foreign.length + index;
    const below = all.filter((each, other) => other !== at && isBelow(each, image, other < at));
    bytes += Math.max(0, image.Size - Math.max(0, ...below.map(({ Size }) => Size)));
  }
  return bytes;
}

/** `isEarlier`: of images with the same layers the first counts. */
function isBelow(one: Sized, image: Sized, isEarlier: boolean): boolean {
  const [few, many] = [one.RootFS?.Layers ?? [], image.RootFS?.Layers ?? []];
  if (few.length === 0 || few.length > many.length) return false;
  if (few.length === many.length && !isEarlier) return false;
  return few.every((layer, index) => layer === many[index]);
}
