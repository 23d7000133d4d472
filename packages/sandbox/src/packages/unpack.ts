import { execFile } from 'node:child_process';
import { lstatSync, mkdirSync, readlinkSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { toolEnvironment } from '../host/config.js';
import { SandboxError } from '../sandbox-error.js';

const run = promisify(execFile);

const TIMEOUT_MS = 10 * 60_000;
/** Linked into `/usr` by most systems; a package may name either. */
const MERGED = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32'];
/**
 * Arguments: the image's root, then packages. Its input names alternatives, link and target by turns; those without
 * a target yet are made. Prints the size of all, in bytes.
 */
const UNPACK = `set -e
image=$1
shift
for package; do
  dpkg-deb --fsys-tarfile "$package" > files.tar
  tar -x -f files.tar -C root --keep-directory-symlink --no-same-owner
done
rm -f files.tar
there() { [ -e "$1" ] || [ -L "$1" ]; }
while read -r link && read -r target; do
  if there "root$link" || there "$image$link" || ! there "root$target"; then continue; fi
  mkdir -p "root\${link%/*}"
  ln -s "$target" "root$link"
done
chmod -R u-s,g-s,go-w,a+rX root
du -s -B1 root | cut -f1`;
const APART = [
  ...['--unshare-all', '--die-with-parent', '--cap-drop', 'ALL'],
  ...['--ro-bind', '/', '/', '--dev', '/dev'],
];

export interface UnpackOptions {
  packages: readonly string[];
  /** `root` in it becomes the layer. */
  directory: string;
  /** The image that the layer is for. */
  image: string;
  bwrap: string;
  signal: AbortSignal;
}

/**
 * Unpacks files of packages, and runs nothing of theirs. It happens where nothing but the directory can be written: a
 * link in one package must not lead the files of another out of it. Resolves to the bytes that all takes.
 */
export async function unpack({ packages, directory, image, bwrap, signal }: UnpackOptions): Promise<number> {
  prepareRoot(path.join(directory, 'root'), image);
  const mount = ['--bind', directory, directory, '--chdir', directory];
  const command = ['--', '/bin/sh', '-c', UNPACK, 'sh', image, ...packages];
  const running = { env: toolEnvironment(), timeout: TIMEOUT_MS, signal };
  try {
    const scripts = await Promise.all(packages.map((file) => scriptOf(file, running)));
    const alternatives = scripts.flatMap(alternativesIn);
    const unpacking = run(bwrap, [...APART, ...mount, ...command], running);
    const { stdin } = unpacking.child;
    stdin?.on('error', () => {}); // the end of the process has the reason
    stdin?.end(alternatives.map(({ link, target }) => `${link}\n${target}\n`).join(''));
    const { stdout } = await unpacking;
    return Number(stdout);
  } catch (cause) {
    signal.throwIfAborted();
    throw new SandboxError('unavailable', 'packages cannot be unpacked', {
      cause,
      fix: 'see that the cache of sandboxes has free space',
    });
  }
}

/** The installation script of the package; it is read only. */
async function scriptOf(file: string, options: { env: Record<string, string>; signal: AbortSignal }) {
  const { stdout } = await run('dpkg-deb', ['--info', file], options);
  if (!/^ .*\bpostinst\b/m.test(stdout)) return '';
  return (await run('dpkg-deb', ['--info', file, 'postinst'], options)).stdout;
}

/** Links lead where they do in the image, so that files come to lie where those of the image do. */
function prepareRoot(root: string, image: string): void {
  mkdirSync(path.join(root, 'usr'), { recursive: true });
  for (const name of MERGED) {
    const original = path.join(image, name);
    if (!lstatSync(original, { throwIfNoEntry: false })?.isSymbolicLink()) continue;
    const target = readlinkSync(original).replace(/^\/+/, '');
    mkdirSync(path.join(root, target), { recursive: true });
    symlinkSync(target, path.join(root, name));
  }
}

/** A name that several packages can provide, and the file of one of them. Both absolute. */
interface Alternative {
  link: string;
  target: string;
}

const DECLARED = /--(?:install|slave)\s+(\S+)\s+\S+\s+(\S+)/g;
/** Written out: what a script computes is not known without running it. */
const LITERAL = /^\/[A-Za-z0-9._+@:/-]+$/;

/** The registrations with `update-alternatives` of a package's script, read from the script instead of running it. */
export function alternativesIn(script: string): Alternative[] {
  const commands = script.replace(/\\\n/g, ' ').split('\n');
  return commands
    .filter((line) => /\bupdate-alternatives\b/.test(line))
    .flatMap((line) => [...line.matchAll(DECLARED)])
    .map(([, link = '', target = '']) => ({ link, target }))
    .filter(({ link, target }) => [link, target].every((path) => LITERAL.test(path) && !path.includes('..')));
}
