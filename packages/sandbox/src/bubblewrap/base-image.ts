import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

/** The read-only directories of a sandbox below `/`. */
export interface BaseImage {
  /** Directory whose `usr` (and others) are shown; `/` for the host's. */
  root: string;
  /** Shown as `/etc`. */
  etc: string;
  /** Top-level links, such as `/bin` -> `usr/bin`. */
  links: readonly { name: string; target: string }[];
  /** Top-level directories shown read-only. */
  directories: readonly string[];
  /** Directories within those that are shown empty, as absolute paths. */
  hidden?: readonly string[];
  /** Pairs of directories that are mounted as one before any of the above is shown. */
  overlays?: readonly Overlay[];
}

interface Overlay {
  upper: string;
  lower: string;
  /** An empty directory. */
  at: string;
}

/** Never anything that holds state or secrets of the host. */
const SHOWN = ['usr', 'bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32'];
/** Where administrators keep settings of the host, with credentials among them: no sandbox needs these. */
const HIDDEN_OF_HOST = ['usr/local/etc', 'usr/local/src'];
/** A registered image is the operator's choice, so its software in `/opt` is shown too. */
const SHOWN_OF_TEMPLATE = [...SHOWN, 'opt', 'nix'];

/** Taken over from the host's `/etc`: needed by the loader, by Debian's alternatives, by clocks and TLS. */
const ETC_COPIED = [
  'alternatives',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'localtime',
  'mime.types',
  'ssl/certs',
];

const ETC_WRITTEN: Record<string, string> = {
  passwd:
    'root:x:0:0:root:/nonexistent:/usr/sbin/nologin\nagent:x:1000:1000::/home/agent:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n',
  group: 'root:x:0:\nagent:x:1000:\nnogroup:x:65534:\n',
  hosts: '127.0.0.1 localhost sandbox\n::1 localhost\n',
  hostname: 'sandbox\n',
  'host.conf': 'multi on\n',
  'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
  'resolv.conf': '',
  shells: '/bin/sh\n/bin/bash\n',
};

export function baseImage(root: string, stateDir: string): BaseImage {
  const links: { name: string; target: string }[] = [];
  const directories: string[] = [];
  for (const name of root === '/' ? SHOWN : SHOWN_OF_TEMPLATE) {
    const full = path.join(root, name);
    const found = lstatSync(full, { throwIfNoEntry: false });
    if (found?.isSymbolicLink()) links.push({ name, target: readlinkSync(full) });
    else if (found?.isDirectory()) directories.push(name);
  }
  const hidden =
    root === '/'
      ? HIDDEN_OF_HOST.filter((name) => isDirectory(path.join(root, name))).map((name) => `/${name}`)
      : [];
  return { root, etc: prepareEtc(root, stateDir), links, directories, hidden };
}

/** A link would lead the mount elsewhere. */
function isDirectory(name: string): boolean {
  return lstatSync(name, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/**
 * The image with the files of another directory laid over its own. `mountPoints` gets a directory for each; the mounts
 * on them are a sandbox's own.
 */
export function layered(base: BaseImage, layer: string, mountPoints: string): BaseImage {
  const at = (name: string) => {
    const directory = path.join(mountPoints, name);
    mkdirSync(directory, { recursive: true, mode: 0o755 });
    return directory;
  };
  const overlays = base.directories.map((name) => {
    const upper = path.join(layer, name);
    const lower = path.join(base.root, name);
    return { upper: existsSync(upper) ? upper : at('nothing'), lower, at: at(name) };
  });
  const settings = path.join(layer, 'etc');
  if (!existsSync(settings)) return { ...base, root: mountPoints, overlays };
  const etc = { upper: base.etc, lower: settings, at: at('etc') };
  return { ...base, root: mountPoints, etc: etc.at, overlays: [...overlays, etc] };
}

/** Rebuilt when what it copies has changed; put in place in one step, since other processes may do the same. */
function prepareEtc(root: string, stateDir: string): string {
  const source = path.join(root, 'etc');
  const target = path.join(stateDir, `etc-${stampOf(source)}`);
  if (existsSync(target)) return target;
  const aside = mkdtempSync(path.join(stateDir, 'etc-build-'));
  try {
    for (const name of ETC_COPIED) copyIfThere(path.join(source, name), path.join(aside, name));
    for (const [name, text] of Object.entries(ETC_WRITTEN)) writeFileSync(path.join(aside, name), text);
    chmodSync(aside, 0o755);
    renameSync(aside, target);
  } catch (error) {
    if (!existsSync(target)) throw error;
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
  return target;
}

function stampOf(source: string): string {
  const hash = createHash('sha256').update(source).update(JSON.stringify(ETC_WRITTEN));
  for (const name of ETC_COPIED) {
    hash.update(`${name}:${statSync(path.join(source, name), { throwIfNoEntry: false })?.mtimeMs ?? ''};`);
  }
  return hash.digest('hex').slice(0, 16);
}

function copyIfThere(from: string, to: string): void {
  if (!existsSync(from)) return;
  mkdirSync(path.dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
}

const INTERPRETERS = ['python3', 'node', 'go', 'cargo'];
const COMMAND_DIRECTORIES = ['usr/local/sbin', 'usr/local/bin', 'usr/sbin', 'usr/bin', 'sbin', 'bin'];

/** The interpreters and compilers that an image has. A link counts unread: it may lead to a path of the image. */
export function interpretersIn(root: string): string[] {
  const hasCommand = (name: string) =>
    COMMAND_DIRECTORIES.some(
      (directory) => lstatSync(path.join(root, directory, name), { throwIfNoEntry: false }) !== undefined,
    );
  return INTERPRETERS.filter(hasCommand);
}
