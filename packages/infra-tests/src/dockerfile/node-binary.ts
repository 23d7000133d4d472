import path from 'node:path';
import { npmInstall } from '@agentclash/testkit/npm-install';

/** `24.21.0` of `docker.io/library/node:24.21.0-bookworm-slim`. */
export function nodeVersionOf(image: string): string {
  const version = /\bnode:(\d+\.\d+\.\d+)\b/.exec(image)?.[1];
  if (version === undefined) throw new Error(`${image} names no version of Node.js`);
  return version;
}

/** Fetches a version of Node.js for this machine, as a package of npm, into a folder; the path of its program. */
export async function fetchNode(version: string, folder: string): Promise<string> {
  const name = `node-linux-${process.arch}`;
  return path.join(await npmInstall(folder, [`${name}@${version}`]), name, 'bin/node');
}
