import { kindOfBit } from '../../inside/file-report.js';
import { Collected, finished } from '../../inside/files.js';
import type { Inside } from '../../inside/inside.js';
import { SandboxError } from '../../sandbox-error.js';

/** The absolute name, without links, of a directory that must lie in the roots. Throws SandboxError. */
export async function directoryOf(
  inside: Inside,
  { cwd, roots }: { cwd: string; roots: readonly string[] },
): Promise<string> {
  const collected = new Collected();
  const task = inside.start({ verb: 'stat', cwd: '/', roots, args: [cwd] }, collected);
  const { path, numbers } = await finished(task, collected);
  if (kindOfBit(Math.floor(numbers[1] / 2 ** 32)) === 'directory') return path;
  throw new SandboxError('not_directory', 'not a directory');
}
