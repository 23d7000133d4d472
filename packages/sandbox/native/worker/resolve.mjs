// Path resolution that checks and opens in one walk, as `resolve.c` does it: every step is taken from the descriptor of
// the one before, by its name below /proc/self/fd, so that nothing can be swapped in between.
import fs from 'node:fs';
import { FAULT, Fault, faultOf } from './faults.mjs';

const O_PATH = 0o10000000;
const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
const LINKS_MAX = 40;
const PATH_BYTES_MAX = 4096;
const NAME_BYTES_MAX = 255;

export const at = (fd, name) => `/proc/self/fd/${fd}/${name}`;
const nameOf = (fd) => fs.readlinkSync(`/proc/self/fd/${fd}`);
const below = (fd, name) => `${nameOf(fd)}/${name}`.replace(/^\/\//, '/');

/** Opens the very object that was checked. */
export function openPlace(place, flags) {
  return fs.openSync(`/proc/self/fd/${place.fd}`, flags | O_NONBLOCK);
}

export function isWithin(path, roots) {
  return roots.some((root) => root === '/' || path === root || path.startsWith(`${root}/`));
}

/**
 * Where a path leads: `{exists, fd, parent, name, stat, path}`. Throws Fault; what lies outside the roots is
 * `notPermitted` whether or not it exists.
 */
export function resolve(
  path,
  { cwd, roots },
  { followLast = true, makeParents = false, mayBeAbsent = false } = {},
) {
  const components = path.split('/');
  if (path === '' || Buffer.byteLength(path) > PATH_BYTES_MAX) throw new Fault(FAULT.invalidPath);
  if (components.some((name) => Buffer.byteLength(name) > NAME_BYTES_MAX)) throw new Fault(FAULT.invalidPath);
  let rest = path.startsWith('/') ? path : `${cwd}/${path}`;
  let [here, parent, lastName, links] = [openRoot(), -1, '', 0];
  const within = (name, fault) => new Fault(isWithin(below(here, name), roots) ? fault : FAULT.notPermitted);

  for (;;) {
    const [, name, tail] = /^\/*([^/]+)(.*)$/s.exec(rest) ?? [];
    if (name === undefined) break;
    const isDirectory = tail.startsWith('/');
    const isLast = /^\/*$/.test(tail);
    rest = tail;
    if (name === '.') continue;
    let fd;
    try {
      fd = fs.openSync(at(here, name), O_PATH | O_NOFOLLOW);
    } catch (error) {
      if (error.code === 'ENOENT' && isLast && mayBeAbsent) {
        if (!isWithin(below(here, name), roots)) throw new Fault(FAULT.notPermitted);
        if (isDirectory) throw new Fault(FAULT.isDirectory);
        return { exists: false, fd: -1, parent: here, name, path: below(here, name) };
      }
      if (error.code !== 'ENOENT' || isLast || !makeParents) throw within(name, faultOf(error));
      if (!isWithin(below(here, name), roots)) throw new Fault(FAULT.notPermitted);
      fd = makeDirectory(here, name);
    }
    const stat = fs.fstatSync(fd);
    if (stat.isSymbolicLink() && (!isLast || isDirectory || followLast)) {
      if (++links > LINKS_MAX) throw within(name, FAULT.loop);
      const target = fs.readlinkSync(at(here, name));
      rest = `${target}${isDirectory ? '/' : ''}${tail}`;
      if (target.startsWith('/')) here = openRoot();
      continue;
    }
    if ((!isLast || isDirectory) && !stat.isDirectory()) throw within(name, FAULT.notDirectory);
    [parent, here, lastName] = [name === '..' ? -1 : here, fd, name];
  }
  const real = nameOf(here);
  if (!isWithin(real, roots)) throw new Fault(FAULT.notPermitted);
  const stat = fs.fstatSync(here);
  if (stat.nlink === 0) throw new Fault(FAULT.notFound);
  return { exists: true, fd: here, parent, name: lastName, stat, path: real };
}

function openRoot() {
  return fs.openSync('/', O_PATH | O_DIRECTORY);
}

function makeDirectory(parent, name) {
  try {
    fs.mkdirSync(at(parent, name), 0o755);
  } catch (error) {
    if (error.code !== 'EEXIST') throw new Fault(faultOf(error));
  }
  return fs.openSync(at(parent, name), O_PATH | O_NOFOLLOW);
}
