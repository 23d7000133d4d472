import { createReadStream } from 'node:fs';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pack } from 'tar-stream';

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

/** By the rules of `.dockerignore`: the last pattern that matches a path, or a directory above it, decides. */
export function ignoring(text: string): (name: string) => boolean {
  const rules = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ isKept: line.startsWith('!'), pattern: patternOf(line.replace(/^!/, '').trim()) }));
  return (name) =>
    rules.reduce((isOut, { isKept, pattern }) => (pattern.test(name) ? !isKept : isOut), false);
}

/** `*` and `?` stay within a name, `**` takes any number of directories. */
function patternOf(glob: string): RegExp {
  const clean = path.posix.normalize(glob).replace(/^\/+|\/+$/g, '');
  const body = clean
    .split(/(\*\*\/?|\*|\?|\[[^\]]*\])/)
    .map((part) => {
      if (part === '**/') return '(?:.*/)?';
      if (part === '**') return '.*';
      if (part === '*') return '[^/]*';
      if (part === '?') return '[^/]';
      return /^\[[^\]]+\]$/.test(part)
        ? part.replace(/^\[!/, '[^')
        : part.replace(/[.+^${}()|[\]\\]/g, '\\$&');
    })
    .join('');
  return new RegExp(`^${body}(?:/|$)`);
}
