import { invalidImage } from '../image-error.js';
import { nameInLayout } from '../names/layout-name.js';
import { pinned, tagName } from '../names/reference.js';
import type { LayoutSource } from './layout.js';

interface NamedImage {
  /** By the digest of what the layout lists: a manifest, or an index. */
  reference: string;
  /** With registry and tag, where the layout has one. */
  names: string[];
}

/** The images of a layout as packs name them. Throws `invalid_image` where it has none. */
export async function namedImages(source: LayoutSource): Promise<NamedImage[]> {
  const images = (await source.images()).map((image): NamedImage => {
    const name = nameInLayout(image, source.origin);
    return { reference: pinned(name, image.digest), names: name.tag === undefined ? [] : [tagName(name)] };
  });
  if (images.length === 0) throw invalidImage(`${source.name} has no image`);
  return images;
}
