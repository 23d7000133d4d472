import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const INSTALL_MS_MAX = 900_000;

/** Installs packages into a folder of their own, without running scripts of theirs; the folder that holds them. */
export async function npmInstall(
  folder: string,
  packages: readonly string[],
  options: readonly string[] = [],
): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder];
  await run('npm', ['install', ...flags, ...options, ...packages], {
    timeout: INSTALL_MS_MAX,
    maxBuffer: 1 << 26,
  });
  return path.join(folder, 'node_modules');
}
