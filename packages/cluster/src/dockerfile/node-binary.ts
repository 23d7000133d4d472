import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const INSTALL_MS_MAX = 300_000;

/** `24.21.0` of `docker.io/library/node:24.21.0-bookworm-slim`. */
export function nodeVersionOf(image: string): string {
  const version = /\bnode:(\d+\.\d+\.\d+)\b/.exec(image)?.[1];
  if (version === undefined) throw new Error(`${image} names no version of Node.js`);
  return version;
}

/** Fetches a version of Node.js for this machine, as a package of npm, into a folder; the path of its program. */
export async function fetchNode(version: string, folder: string): Promise<string> {
  const name = `node-linux-${process.arch}`;
  mkdirSync(folder, { recursive: true });
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder];
  await run('npm', ['install', ...flags, `${name}@${version}`], { timeout: INSTALL_MS_MAX });
  return path.join(folder, 'node_modules', name, 'bin/node');
}
