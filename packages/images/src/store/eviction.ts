import type { ImageFacts, StoredLayer } from './files.js';

/** Users of an image renew its time every minute. */
const IN_USE_MS = 10 * 60_000;

interface Content {
  images: readonly (ImageFacts & { unusedMs: number })[];
  layers: readonly StoredLayer[];
}

/**
 * The content that leaves a store: the images that were unused for longest, until the layers of the others fit, and the layers that no
 * image has. None that may be in use, and no layer whose image is just being made.
 */
export function planEviction(
  { images, layers }: Content,
  bytesMax: number,
): { images: string[]; layers: string[] } {
  const kept = new Set(images);
  const gone: string[] = [];
  const isKept = (layer: StoredLayer) =>
    layer.ageMs <= IN_USE_MS || [...kept].some(({ diffIds }) => diffIds.includes(layer.diffId));
  const bytes = () => layers.filter(isKept).reduce((sum, layer) => sum + layer.bytes, 0);
  const idle = images.filter(({ unusedMs }) => unusedMs > IN_USE_MS);
  for (const image of [...idle].sort((a, b) => b.unusedMs - a.unusedMs)) {
    if (bytes() <= bytesMax) break;
    kept.delete(image);
    gone.push(image.digest);
  }
  return { images: gone, layers: layers.filter((layer) => !isKept(layer)).map(({ diffId }) => diffId) };
}
