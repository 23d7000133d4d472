import { createReadStream } from 'node:fs';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { pack } from 'tar-stream';
import { ignoring } from './ignore-patterns.js';

const MODE_BITS = 0o7777;

/** A directory as the daemon takes it for a build: without what `.dockerignore` names, and with this Dockerfile. */
export function contextArchive(directory: string, dockerfile: { name: string; text: string }): Readable {
  const tar = pack();
  fill(tar, directory, dockerfile).then(
    () => tar.finalize(),
    (error: Error) => tar.destroy(error),
  );
  return Readable.from(tar);
}

async function fill(
  tar: ReturnType<typeof pack>,
  directory: string,
  dockerfile: { name: string; text: string },
): Promise<void> {
  const isIgnored = ignoring(await readFile(path.join(directory, '.dockerignore'), 'utf8').catch(() => ''));
  const entries = await readdir(directory, { withFileTypes: true, recursive: true });
  const names = entries.map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)));
  for (const name of names.sort()) {
    await yieldToOthers();
    const posix = name.split(path.sep).join('/');
    if (posix === dockerfile.name || isIgnored(posix)) continue;
    const full = path.join(directory, name);
    const stat = await lstat(full);
    const { mode, size, mtime } = stat;
    const header = { name: posix, mode: mode & MODE_BITS, mtime, uid: 0, gid: 0 };
    if (stat.isSymbolicLink()) tar.entry({ ...header, type: 'symlink', linkname: await readlink(full) });
    else if (stat.isDirectory()) tar.entry({ ...header, type: 'directory' });
    else if (stat.isFile()) await pipeline(createReadStream(full), tar.entry({ ...header, size }));
  }
  tar.entry({ name: dockerfile.name, mode: 0o644 }, dockerfile.text);
}
