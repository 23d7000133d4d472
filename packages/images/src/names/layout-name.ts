import path from 'node:path';
import type { PlatformDescriptor } from './manifest.js';
import { type ImageReference, isTag, parseReference } from './reference.js';

/** Of images that have no name of a registry. */
const LOADED = 'loaded';
const ARCHIVE_EXTENSIONS = /(?:\.(?:oci|tar|tgz|gz|zst|xz|bz2))+$/;

/**
 * The full name that an image has in a layout, as containerd and Docker write it. Tools of OCI may write a tag alone: then, and
 * without any, it is called after the file or directory, `origin`.
 */
export function nameInLayout(
  { annotations = {} }: Pick<PlatformDescriptor, 'annotations'>,
  origin: string,
): ImageReference {
  const name = annotations['org.opencontainers.image.ref.name'];
  const full = annotations['io.containerd.image.name'] ?? (isTag(name) ? undefined : name);
  const tag = isTag(name) ? `:${name}` : '';
  return parsed(full) ?? parseReference(`${LOADED}/${nameOfFile(origin)}${tag}`);
}

function parsed(name: string | undefined): ImageReference | undefined {
  if (name === undefined) return undefined;
  try {
    const reference = parseReference(name);
    return reference.tag === undefined ? { ...reference, tag: 'latest' } : reference;
  } catch {
    return undefined;
  }
}

function nameOfFile(origin: string): string {
  const base = path.basename(origin).toLowerCase().replace(ARCHIVE_EXTENSIONS, '');
  return base.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'image';
}
