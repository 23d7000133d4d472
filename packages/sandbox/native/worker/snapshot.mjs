import fs from 'node:fs';
import { sortedNames } from './files.mjs';
import { omissionsCount, reportOmitted, reportResult, writeAll } from './report.mjs';
import { at } from './resolve.mjs';
import { BLOCK, encodeEntry, padding, TYPE } from './tar-header.mjs';

const CHUNK = 64 * 1024;
const PATH_MAX = 4096;
/**
 * What an archive holds beside content (headers, long names, padding) takes no room on the disk of the sandbox: it may be
 * as much as the content may, within these bounds.
 */
const FRAME_BYTES = { least: 16 * 1024 * 1024, most: 512 * 1024 * 1024 };
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_DIRECTORY } = fs.constants;

/** A tar of the roots on stdout; what cannot be taken is named in the report. */
export function snapshot({ roots, numbers: [bytesMax] }) {
  const frameBytesMax = Math.min(FRAME_BYTES.most, Math.max(FRAME_BYTES.least, bytesMax));
  const archive = { entries: 0, bytes: 0, bytesMax, frameBytes: 0, frameBytesMax, firstNames: new Map() };
  const top = fs.openSync('/', O_RDONLY | O_DIRECTORY);
  for (const root of roots) put(archive, top, { name: root.slice(1), path: root });
  writeAll(1, Buffer.alloc(2 * BLOCK));
  reportResult([archive.entries, archive.bytes, omissionsCount()], '');
}

function put(archive, parent, { name, path }) {
  const found = fs.lstatSync(at(parent, name), { throwIfNoEntry: false });
  if (!found) return;
  if (archive.frameBytes > archive.frameBytesMax) return reportOmitted(path, 'too_many');
  if (found.isFile()) putFile(archive, at(parent, name), { found, path });
  else if (found.isDirectory()) putDirectory(archive, at(parent, name), { found, path });
  else if (found.isSymbolicLink())
    putEntry(archive, { found, path }, TYPE.symlink, fs.readlinkSync(at(parent, name)));
  else putSpecial(archive, { found, path });
}

function putEntry(archive, { found, path }, type, link) {
  const mtime = Math.floor(found.mtimeMs / 1000);
  const size = type === TYPE.file ? found.size : 0;
  const header = encodeEntry({ name: path.slice(1), link, type, mode: found.mode, mtime, size });
  archive.entries++;
  archive.frameBytes += header.length + padding(size);
  writeAll(1, header);
}

function putFile(archive, file, { found, path }) {
  const first = found.nlink > 1 ? archive.firstNames.get(found.ino) : undefined;
  if (first !== undefined) return putEntry(archive, { found, path }, TYPE.hardlink, first);
  if (found.size > archive.bytesMax - archive.bytes) return reportOmitted(path, 'too_large');
  const fd = openReadable(file, found, 0);
  if (typeof fd === 'string') return reportOmitted(path, fd);
  archive.firstNames.set(found.ino, path.slice(1));
  archive.bytes += found.size;
  putEntry(archive, { found, path }, TYPE.file, '');
  putContent(fd, found.size);
  fs.closeSync(fd);
}

/** Pipes, sockets and devices alike: the name is evidence, and there is no content to take. */
function putSpecial(archive, { found, path }) {
  reportOmitted(path, 'special_file');
  putEntry(archive, { found, path }, TYPE.fifo, '');
  archive.entries--;
}

/** Exactly `size` bytes, whatever happens to the file meanwhile: the header has promised them. */
function putContent(fd, size) {
  const chunk = Buffer.alloc(CHUNK);
  for (let left = size; left > 0; ) {
    const wanted = Math.min(left, CHUNK);
    const got = fs.readSync(fd, chunk, 0, wanted, null);
    if (got === 0) chunk.fill(0);
    writeAll(1, chunk.subarray(0, got || wanted));
    left -= got || wanted;
  }
  writeAll(1, Buffer.alloc(padding(size)));
}

function putDirectory(archive, directory, { found, path }) {
  putEntry(archive, { found, path }, TYPE.directory, '');
  const fd = openReadable(directory, found, O_DIRECTORY);
  if (typeof fd === 'string') return reportOmitted(path, fd);
  for (const { name } of sortedNames(fd)) {
    const below = `${path}/${name}`;
    if (Buffer.byteLength(below) < PATH_MAX) put(archive, fd, { name, path: below });
    else reportOmitted(path, 'too_deep');
  }
  fs.fchmodSync(fd, found.mode & 0o7777);
  fs.closeSync(fd);
}

/**
 * A descriptor, or why there is none. The owner may always read: permission bits are lifted for the opening and put
 * back. A directory that can be listed but not entered opens, and would hide what it holds.
 */
function openReadable(file, found, flags) {
  const open = () => fs.openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | flags);
  try {
    if (!(flags & O_DIRECTORY) || found.mode & 0o100) return open();
  } catch (error) {
    if (error.code !== 'EACCES') return whyUnopened(error);
  }
  try {
    fs.chmodSync(file, (found.mode & 0o777) | 0o700);
    const fd = open();
    if (!(flags & O_DIRECTORY)) fs.fchmodSync(fd, found.mode & 0o7777);
    return fd;
  } catch (error) {
    return whyUnopened(error);
  }
}

/** Descriptors run out below many directories only. */
function whyUnopened({ code }) {
  return code === 'EMFILE' ? 'too_deep' : 'unreadable';
}
