import fs from 'node:fs';
import { FAULT, Fault, faultOf } from './faults.mjs';
import { kindOf, reportResult, text, writeAll } from './report.mjs';
import { at, openPlace, resolve } from './resolve.mjs';

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = fs.constants;
const CHUNK = 64 * 1024;
const TRIES = 8;

export function read({ path, numbers: [offset, length, bytesMax], ...scope }) {
  const place = resolve(path, scope);
  mustBeFile(place);
  const size = place.stat.size;
  const wanted = Math.min(length ?? Number.POSITIVE_INFINITY, Math.max(0, size - offset));
  if (wanted > bytesMax) throw new Fault(FAULT.tooLarge);
  const fd = openPlace(place, O_RDONLY);
  reportResult([size, 0, 0], place.path);
  copyOut(fd, offset, wanted);
}

export function write({ path, numbers: [size, mode], makeParents, ...scope }) {
  for (let attempt = 0; ; attempt++) {
    const place = resolve(path, scope, { mayBeAbsent: true, makeParents });
    if (place.exists) mustBeFile(place);
    let fd;
    try {
      fd = place.exists
        ? openPlace(place, O_WRONLY)
        : fs.openSync(at(place.parent, place.name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode & 0o777);
    } catch (error) {
      if (error.code === 'EEXIST' && attempt < TRIES) continue;
      throw error;
    }
    receive(fd, size);
    reportResult([size, 0, 0], place.path);
    return;
  }
}

export function stat({ path, ...scope }) {
  const place = resolve(path, scope);
  const kindAndMode = (BigInt(kindOf(place.stat)) << 32n) | BigInt(place.stat.mode & 0o7777);
  reportResult([place.stat.size, kindAndMode, Math.floor(place.stat.mtimeMs)], place.path);
}

export function remove({ path, ...scope }) {
  let place;
  try {
    place = resolve(path, scope, { followLast: false, mayBeAbsent: true });
  } catch (error) {
    if (error.code === FAULT.notFound) return;
    throw error;
  }
  if (!place.exists) return;
  if (place.parent < 0) throw new Fault(FAULT.notPermitted);
  const target = at(place.parent, place.name);
  try {
    fs.rmSync(target, { recursive: true, force: true });
  } catch (error) {
    if (faultOf(error) !== FAULT.io) throw error;
    // Since Node.js 24 its error has no code for a mount point; the error of `rmdir` has.
    fs.rmdirSync(target);
  }
}

export function list({ path, numbers: [entriesMax, kinds], recursive, skip, ...scope }) {
  const place = resolve(path, scope);
  let left = entriesMax;
  let isTruncated = false;
  const emit = (name, found) => {
    if (!(kinds & kindOf(found))) return;
    if (left-- <= 0) {
      isTruncated = true;
      return;
    }
    const head = Buffer.alloc(12);
    head.writeUInt32LE(kindOf(found));
    head.writeBigUInt64LE(BigInt(found.size), 4);
    writeAll(1, Buffer.concat([head, text(name)]));
  };
  const walk = (fd, prefix) => {
    for (const { name, found } of sortedNames(fd)) {
      if (isTruncated) return;
      if (found.isDirectory() && skip.includes(name)) continue;
      emit(prefix + name, found);
      if (found.isDirectory() && recursive) within(fd, name, (inner) => walk(inner, `${prefix}${name}/`));
    }
  };
  const within = (fd, name, work) => {
    let inner;
    try {
      inner = openDirectory(at(fd, name));
      work(inner);
    } catch {
      isTruncated = true;
    } finally {
      if (inner !== undefined) fs.closeSync(inner);
    }
  };
  if (!place.stat.isDirectory()) throw new Fault(FAULT.notDirectory);
  walk(openDirectory(`/proc/self/fd/${place.fd}/.`), '');
  reportResult([isTruncated ? 1 : 0, 0, 0], place.path);
}

export function openDirectory(path) {
  return fs.openSync(path, O_RDONLY | O_NOFOLLOW | fs.constants.O_DIRECTORY);
}

/** In the byte order of the paths below: a directory sorts as `name/`. */
export function sortedNames(fd) {
  return fs
    .readdirSync(`/proc/self/fd/${fd}`)
    .flatMap((name) => {
      const found = fs.lstatSync(at(fd, name), { throwIfNoEntry: false });
      return found ? [{ name, found, key: Buffer.from(found.isDirectory() ? `${name}/` : name) }] : [];
    })
    .sort((a, b) => Buffer.compare(a.key, b.key));
}

function mustBeFile({ stat }) {
  if (stat.isDirectory()) throw new Fault(FAULT.isDirectory);
  if (!stat.isFile()) throw new Fault(FAULT.notRegular);
}

function copyOut(fd, offset, length) {
  const chunk = Buffer.alloc(CHUNK);
  for (let done = 0; done < length; ) {
    const got = fs.readSync(fd, chunk, 0, Math.min(CHUNK, length - done), offset + done);
    if (got === 0) return;
    writeAll(1, chunk.subarray(0, got));
    done += got;
  }
}

/** All of it is here before the old content goes. */
function receive(fd, size) {
  const content = Buffer.alloc(size);
  for (let done = 0; done < size; ) {
    const got = fs.readSync(0, content, done, size - done, null);
    if (got === 0) throw new Fault(FAULT.io);
    done += got;
  }
  fs.ftruncateSync(fd, 0);
  for (let done = 0; done < size; ) done += fs.writeSync(fd, content, done, size - done, done);
}
