import { execFileSync } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { LayerEntry } from './fixture.js';

const PROGRAMS = ['sh', 'cat', 'chmod', 'chown', 'grep', 'id', 'ls', 'mkdir', 'rm', 'stat', 'touch'];

/** One layer with a few programs of this machine and the libraries that they load: enough to run scripts of a shell. */
export function hostRoot(programs: readonly string[] = PROGRAMS): LayerEntry[] {
  const files = new Map<string, string>();
  for (const name of programs) {
    const program = realpathSync(path.join('/usr/bin', name));
    files.set(`usr/bin/${name}`, program);
    for (const library of librariesOf(program)) files.set(library.slice(1), realpathSync(library));
  }
  const directories = new Set<string>(['tmp', 'etc']);
  for (const file of files.keys()) {
    for (let at = path.dirname(file); at !== '.'; at = path.dirname(at)) directories.add(at);
  }
  return [
    ...[...directories]
      .sort()
      .map((name): LayerEntry => ({ name: `${name}/`, type: 'directory', mode: 0o755 })),
    { name: 'bin', type: 'symlink', linkname: 'usr/bin' },
    ...[...files].map(([name, source]): LayerEntry => ({ name, content: readFileSync(source), mode: 0o755 })),
  ];
}

/** As the loader would find them; a static program has none. */
function librariesOf(program: string): string[] {
  try {
    const text = execFileSync('ldd', [program], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return [...text.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map((match) => match[1] ?? '');
  } catch {
    return [];
  }
}
