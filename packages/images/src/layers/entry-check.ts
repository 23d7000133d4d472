import { invalidImage } from '../image-error.js';

const NAME_BYTES_MAX = 255;
const PATH_BYTES_MAX = 4_000;
const DEPTH_MAX = 200;

/** The path of an entry below the root, without `./` and trailing slashes; '' is the root. Throws `invalid_image`. */
export function entryPath(name: string, of: string): string {
  const wrong = (reason: string) => invalidImage(`${of}: the entry ${shown(name)} ${reason}`);
  if (name.includes('\0')) throw wrong('has a NUL in its name');
  if (name.startsWith('/')) throw wrong('has an absolute name');
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) throw wrong('leads out of the image');
  if (parts.length > DEPTH_MAX) throw wrong(`is deeper than ${DEPTH_MAX} directories`);
  if (parts.some((part) => Buffer.byteLength(part) > NAME_BYTES_MAX)) throw wrong('has too long a name');
  const path = parts.join('/');
  if (Buffer.byteLength(path) > PATH_BYTES_MAX) throw wrong('has too long a path');
  return path;
}

/** A path in a message: on one line, and not the whole of a long one. */
export function shown(path: string): string {
  return JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path);
}

export function parentOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}
