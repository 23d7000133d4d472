import { invalidImage } from '../image-error.js';
import { verified, whole } from '../names/digest.js';
import { configPlatform, type Descriptor, DOCUMENT_BYTES_MAX, readDocument } from '../names/manifest.js';
import { parseReference, pinned } from '../names/reference.js';
import type { ImageSource } from './source.js';

/** Of machines that may run sandboxes: not only of this one. */
const PLATFORMS = ['linux/amd64', 'linux/arm64'];

/**
 * The image by the digest of its index or manifest, as the sources know it now. Throws `invalid_image` where there is none,
 * a login is needed or it is for no machine that runs sandboxes.
 */
export async function pinImage(
  name: string,
  sources: readonly ImageSource[],
  signal?: AbortSignal,
): Promise<string> {
  const reference = parseReference(name);
  if (reference.digest !== undefined) return pinned(reference, reference.digest);
  for (const source of sources) {
    const document = await source.document(reference, signal);
    if (document === undefined) continue;
    const read = readDocument(document.bytes.toString(), `the image ${name}`);
    const blob = async (descriptor: Descriptor) => {
      const of = `the configuration of ${name}`;
      return await whole(
        verified(source.blob(reference, descriptor, signal), descriptor, of),
        DOCUMENT_BYTES_MAX,
        of,
      );
    };
    const platforms =
      'index' in read
        ? read.index.map(({ platform }) => platform && `${platform.os}/${platform.architecture}`)
        : [configPlatform((await blob(read.manifest.config)).toString(), `the image ${name}`)];
    if (!platforms.some((platform) => platform === undefined || PLATFORMS.includes(platform))) {
      throw invalidImage(
        `the image ${name} is for ${platforms.join(', ') || 'nothing'}`,
        `name an image for ${PLATFORMS.join(' or ')}`,
      );
    }
    return pinned(reference, document.digest);
  }
  const looked = sources.map((source) => source.name).join(', ') || 'no source at all';
  throw invalidImage(
    `there is no image ${name} (looked in ${looked})`,
    'check its name and tag, or name it by its digest',
  );
}
