import fs from 'node:fs';
import { FAULT, Fault, faultOf } from './faults.mjs';
import { reportOmitted, reportResult } from './report.mjs';
import { at } from './resolve.mjs';
import { BLOCK, decodeHeader, padding, TYPE } from './tar-header.mjs';

const { O_DIRECTORY, O_NOFOLLOW, O_WRONLY, O_CREAT, O_EXCL, O_RDONLY } = fs.constants;
const O_PATH = 0o10000000;
const LONG_BYTES_MAX = 1 << 20;
const CHUNK = 64 * 1024;
const TAKEN = [TYPE.file, TYPE.directory, TYPE.symlink, TYPE.hardlink];

/** Unpacks the tar on stdin into the roots. */
export function restore({ roots }) {
  const way = [{ fd: fs.openSync('/', O_PATH | O_DIRECTORY), part: '' }];
  const state = { roots, entries: 0, bytes: 0, directories: [], way };
  let long = {};
  for (let block = exactly(BLOCK); block.some((byte) => byte !== 0); block = exactly(BLOCK)) {
    const header = decodeHeader(block);
    if (header.type === TYPE.longName) long = { ...long, name: longText(header.size) };
    else if (header.type === TYPE.longLink) long = { ...long, link: longText(header.size) };
    else {
      takeEntry(state, { ...header, ...long });
      long = {};
    }
  }
  for (const { name, mode, mtime } of state.directories.reverse())
    finishDirectory(state, name, { mode, mtime });
  reportResult([state.entries, state.bytes, 0], '');
}

function takeEntry(state, entry) {
  const name = entry.name.length > 1 ? entry.name.replace(/\/$/, '') : entry.name;
  const isKnown = TAKEN.includes(entry.type);
  if (!isKnown || !isPlainAndWithin(name, state.roots)) {
    reportOmitted(`/${name}`, isKnown ? 'outside_workspace' : 'special_file');
    return skip(entry.size + padding(entry.size));
  }
  state.entries++;
  try {
    make(state, { ...entry, name });
  } catch (error) {
    const fault = faultOf(error);
    if (entry.type === TYPE.file || fault === FAULT.noSpace) throw error;
    reportOmitted(`/${name}`, 'not_possible');
  }
}

function make(state, entry) {
  if (entry.type === TYPE.hardlink) return makeHardlink(state, entry);
  const { parent, last } = openParent(state, entry.name, true);
  const target = at(parent, last);
  if (entry.type === TYPE.directory) {
    if (!fs.lstatSync(target, { throwIfNoEntry: false })?.isDirectory()) fs.mkdirSync(target, 0o700);
    state.directories.push(entry);
  } else if (entry.type === TYPE.symlink) {
    unlinkIfThere(target);
    fs.symlinkSync(entry.link, target);
  } else {
    makeFile(target, entry);
    state.bytes += entry.size;
  }
}

function makeHardlink(state, { name, link }) {
  if (!isPlainAndWithin(link, state.roots)) throw new Fault(FAULT.notPermitted);
  const from = openParent(state, link, false);
  const kept = fs.openSync(at(from.parent, '.'), O_PATH | O_DIRECTORY);
  try {
    const { parent, last } = openParent(state, name, true);
    unlinkIfThere(at(parent, last));
    fs.linkSync(at(kept, from.last), at(parent, last));
  } finally {
    fs.closeSync(kept);
  }
}

function makeFile(target, { size, mode, mtime }) {
  unlinkIfThere(target);
  const fd = fs.openSync(target, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  for (let left = size; left > 0; ) {
    const chunk = exactly(Math.min(left, CHUNK));
    for (let done = 0; done < chunk.length; ) done += fs.writeSync(fd, chunk, done);
    left -= chunk.length;
  }
  skip(padding(size));
  fs.fchmodSync(fd, mode);
  fs.futimesSync(fd, mtime, mtime);
  fs.closeSync(fd);
}

function finishDirectory(state, name, { mode, mtime }) {
  const { parent, last } = openParent(state, name, false);
  const fd = fs.openSync(at(parent, last), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  fs.futimesSync(fd, mtime, mtime);
  fs.fchmodSync(fd, mode);
  fs.closeSync(fd);
}

/**
 * The directory that holds the last part of a name, reached without following a link. What the way has in common with
 * the last one stays open, since else deep trees took the square of their depth. Valid until the next call.
 */
function openParent({ way }, name, create) {
  const parts = name.split('/');
  const last = parts.pop();
  let shared = 0;
  while (shared < parts.length && way[shared + 1]?.part === parts[shared]) shared++;
  for (const { fd } of way.splice(shared + 1)) fs.closeSync(fd);
  for (const part of parts.slice(shared)) {
    const below = at(way.at(-1).fd, part);
    if (create && !fs.lstatSync(below, { throwIfNoEntry: false })) fs.mkdirSync(below, 0o755);
    way.push({ fd: fs.openSync(below, O_PATH | O_DIRECTORY | O_NOFOLLOW), part });
  }
  return { parent: way.at(-1).fd, last };
}

/** No `..`, no empty part, and, made absolute, in the workspace. */
function isPlainAndWithin(name, roots) {
  if (name.split('/').some((part) => part === '' || part === '.' || part === '..')) return false;
  return roots.some((root) => `/${name}` === root || `/${name}`.startsWith(`${root}/`));
}

function unlinkIfThere(file) {
  try {
    fs.unlinkSync(file);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}

function longText(size) {
  if (size === 0 || size > LONG_BYTES_MAX) throw new Fault(FAULT.malformed);
  const text = exactly(size).toString().replace(/\0.*$/s, '');
  skip(padding(size));
  return text;
}

function exactly(length) {
  const bytes = Buffer.alloc(length);
  for (let done = 0; done < length; ) {
    const got = fs.readSync(0, bytes, done, length - done, null);
    if (got === 0) throw new Fault(FAULT.malformed);
    done += got;
  }
  return bytes;
}

function skip(length) {
  for (let left = length; left > 0; left -= Math.min(left, CHUNK)) exactly(Math.min(left, CHUNK));
}
