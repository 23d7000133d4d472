import { spawn } from 'node:child_process';
import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { ImageError, invalidImage } from '../image-error.js';

const TARGET = '/layer';
const STDERR_MAX = 4_096;
/** To own files as the image does. */
const CAPABILITIES = ['CAP_CHOWN', 'CAP_DAC_OVERRIDE', 'CAP_FOWNER', 'CAP_FSETID', 'CAP_MKNOD'];
const TAR = [
  ...['tar', '--extract', '--file=-', `--directory=${TARGET}`, '--numeric-owner', '--same-owner'],
  ...['--same-permissions', '--delay-directory-restore', '--xattrs', '--xattrs-include=user.*'],
];

/**
 * Unpacks a tar file into an empty directory as root. GNU tar runs in a sandbox of its own that has nothing but the
 * directory to write to. Throws `unavailable` where the disk is full.
 */
export async function unpackTar(
  chunks: AsyncIterable<Uint8Array>,
  directory: string,
  of: string,
): Promise<void> {
  const child = spawn('bwrap', [...sandboxArguments(directory), ...TAR], {
    stdio: ['pipe', 'ignore', 'pipe'],
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8' },
    cwd: '/',
  });
  let stderr = '';
  child.stderr.on('data', (bytes: Buffer) => {
    if (stderr.length < STDERR_MAX) stderr += bytes.toString();
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', (cause) =>
      reject(new ImageError('unavailable', 'bubblewrap cannot be started', { cause })),
    );
    child.once('close', (code) => resolve(code));
  });
  ended.catch(() => {});
  // A failure ends the input, and with it tar: bwrap is not killed, as it may be just starting its child.
  const feeding = pipeline(chunks, child.stdin);
  feeding.catch(() => {});
  const code = await ended;
  if (code === 0) return await feeding;
  const failure = await feeding.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (/No space left|Disk quota|Wrote only/.test(stderr)) {
    const fix = 'free space where images are kept, or keep fewer of them';
    throw new ImageError('unavailable', `there is no space left for ${of}`, {
      fix,
      cause: new Error(stderr),
    });
  }
  if (failure !== undefined && (failure as NodeJS.ErrnoException).code !== 'EPIPE') throw failure;
  throw invalidImage(`${of} cannot be unpacked: ${stderr.trim().split('\n')[0] ?? `exit ${code}`}`);
}

function sandboxArguments(directory: string): string[] {
  const links = ['bin', 'sbin', 'lib', 'lib64'].filter((name) => existsSync(`/${name}`));
  return [
    ...[
      '--unshare-pid',
      '--unshare-net',
      '--unshare-ipc',
      '--unshare-uts',
      '--die-with-parent',
      '--new-session',
    ],
    ...['--cap-drop', 'ALL', ...CAPABILITIES.flatMap((name) => ['--cap-add', name])],
    ...['--ro-bind', '/usr', '/usr'],
    ...links.flatMap((name) =>
      lstatSync(`/${name}`).isSymbolicLink()
        ? ['--symlink', readlinkSync(`/${name}`), `/${name}`]
        : ['--ro-bind', `/${name}`, `/${name}`],
    ),
    ...['--bind', directory, TARGET, '--chdir', '/', '--'],
  ];
}
