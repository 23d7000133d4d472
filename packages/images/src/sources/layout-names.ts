import path from 'node:path';
import { invalidImage } from '../image-error.js';
import { parseReference, pinned, tagName } from '../names/reference.js';
import type { LayoutSource } from './layout.js';

interface NamedImage {
  /** By the digest of what the layout lists: a manifest, or an index. */
  reference: string;
  /** With registry and tag, where the layout has one. */
  names: string[];
}

/** The images of a layout as packs name them; one without a name is called after the directory. Throws `invalid_image`. */
export async function namedImages(source: LayoutSource): Promise<NamedImage[]> {
  const { directory } = source;
  const images = (await source.images()).map(({ digest, annotations = {} }): NamedImage => {
    const name = annotations['io.containerd.image.name'] ?? annotations['org.opencontainers.image.ref.name'];
    if (isWholeName(name)) {
      const named = parseReference(name);
      return { reference: pinned(named, digest), names: [tagName(named)] };
    }
    const base = path
      .basename(directory)
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '');
    return { reference: pinned(parseReference(`loaded/${base || 'image'}`), digest), names: [] };
  });
  if (images.length === 0) throw invalidImage(`${directory} has no image`);
  return images;
}

function isWholeName(name: string | undefined): name is string {
  if (name === undefined) return false;
  try {
    parseReference(name);
    return true;
  } catch {
    return false;
  }
}
