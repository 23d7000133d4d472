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
  const state = { roots, entries: 0, bytes: 0, directories: [] };
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
  for (const { name, mode, mtime } of state.directories.reverse()) finishDirectory(name, mode, mtime);
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
  const { parent, last } = openParent(entry.name, true);
  const target = at(parent, last);
  if (entry.type === TYPE.directory) {
    if (!fs.lstatSync(target, { throwIfNoEntry: false })?.isDirectory()) fs.mkdirSync(target, 0o700);
    state.directories.push(entry);
  } else if (entry.type === TYPE.symlink) {
    unlinkIfThere(target);
    fs.symlinkSync(entry.link, target);
  } else if (entry.type === TYPE.hardlink) {
    if (!isPlainAndWithin(entry.link, state.roots)) throw new Fault(FAULT.notPermitted);
    const from = openParent(entry.link, false);
    unlinkIfThere(target);
    fs.linkSync(at(from.parent, from.last), target);
    fs.closeSync(from.parent);
  } else {
    makeFile(target, entry);
    state.bytes += entry.size;
  }
  fs.closeSync(parent);
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

function finishDirectory(name, mode, mtime) {
  const { parent, last } = openParent(name, false);
  const fd = fs.openSync(at(parent, last), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  fs.futimesSync(fd, mtime, mtime);
  fs.fchmodSync(fd, mode);
  fs.closeSync(fd);
  fs.closeSync(parent);
}

/** The directory that holds the last part of a name, following no link. */
function openParent(name, create) {
  const parts = name.split('/');
  const last = parts.pop();
  let here = fs.openSync('/', O_PATH | O_DIRECTORY);
  for (const part of parts) {
    if (create && !fs.lstatSync(at(here, part), { throwIfNoEntry: false }))
      fs.mkdirSync(at(here, part), 0o755);
    const below = fs.openSync(at(here, part), O_PATH | O_DIRECTORY | O_NOFOLLOW);
    fs.closeSync(here);
    here = below;
  }
  return { parent: here, last };
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
  if (size === 0 || size > LONG_BYTES_MAX) throw new Fault(FAULT.io);
  const text = exactly(size).toString().replace(/\0.*$/s, '');
  skip(padding(size));
  return text;
}

function exactly(length) {
  const bytes = Buffer.alloc(length);
  for (let done = 0; done < length; ) {
    const got = fs.readSync(0, bytes, done, length - done, null);
    if (got === 0) throw new Fault(FAULT.io);
    done += got;
  }
  return bytes;
}

function skip(length) {
  for (let left = length; left > 0; left -= Math.min(left, CHUNK)) exactly(Math.min(left, CHUNK));
}
