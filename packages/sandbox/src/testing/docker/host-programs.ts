import { execFileSync, spawn } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';

/** Programs that the suites run, beside coreutils. */
const PROGRAMS = [
  ...['sh', 'bash', 'python3', 'grep', 'sed', 'find', 'tar', 'gzip', 'mount', 'umount', 'unshare', 'dmesg'],
  ...['su', 'kill', 'hostname', 'setsid', 'nsenter', 'prlimit', 'taskset'],
];
const LINKS = ['/bin', '/sbin', '/lib', '/lib64'];
const PYTHON = 'import sys; print(sys.prefix + "/lib/python%d.%d" % sys.version_info[:2])';

/** A tar archive of some programs of this machine with what they need, as the root of an image: about 60 MB. */
export function imageArchive(): Readable {
  const flags = ['--create', '--directory=/', '--no-recursion', '--null', '--files-from=-'];
  const tar = spawn('tar', flags, { stdio: ['pipe', 'pipe', 'inherit'] });
  tar.stdin.end(names().join('\0'));
  return tar.stdout;
}

/** Directories come before what is in them: those that an archive does not name would belong to all. */
function names(): string[] {
  const coreutils = execFileSync('dpkg', ['--listfiles', 'coreutils'], { encoding: 'utf8' }).split('\n');
  const programs = [
    ...PROGRAMS.map((name) => `/usr/bin/${name}`),
    ...coreutils.filter((file) => /bin\/./.test(file)),
  ];
  const found = programs
    .map((file) => file.replace(/^\/s?bin\//, '/usr/bin/'))
    .filter((file) => existsSync(file));
  const targets = found.map((file) => realpathSync(file));
  const python = pythonFiles();
  const libraries = [...targets, ...python.filter((file) => file.endsWith('.so'))].flatMap(librariesOf);
  const files = new Set([
    ...[...LINKS.filter((name) => existsSync(name)), '/etc/ld.so.cache', '/tmp'],
    ...[...found, ...targets, ...python, ...libraries, ...libraries.map((file) => realpathSync(file))],
  ]);
  const directories = new Set<string>();
  for (const file of files) {
    for (let at = path.dirname(file); at !== '/'; at = path.dirname(at)) directories.add(at);
  }
  const isLink = (name: string) => lstatSync(name).isSymbolicLink();
  const real = [...files].filter(
    (file) => !LINKS.some((link) => isLink(link) && file.startsWith(`${link}/`)),
  );
  return [...new Set([...[...directories].filter((each) => !isLink(each)), ...real])]
    .sort()
    .map((name) => name.slice(1));
}

function pythonFiles(): string[] {
  const directory = execFileSync('/usr/bin/python3', ['-c', PYTHON], { encoding: 'utf8' }).trim();
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !/__pycache__|\/dist-packages|\/site-packages|\/test\//.test(file));
}

/** As the loader would find them; a script has none. */
function librariesOf(program: string): string[] {
  try {
    const text = execFileSync('ldd', [program], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return [...text.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(
      (match) => `/usr${(match[1] ?? '').replace(/^\/usr/, '')}`,
    );
  } catch {
    return [];
  }
}
