// `node infra/docker/all-in-one.mjs <folder> <servers>`: the npm package `agentclash` in <folder>, and in <servers> the programs
// beside it, from the built workspace. With both on a machine, `agentclash up` downloads nothing.
import { copyFileSync, cpSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { findNatsRelease, postgresBinaries } from '../../packages/embedded/dist/index.js';
import { readManifest } from '../npm/manifests.mjs';
import { stagePackage } from '../npm/stage.mjs';

const EXIT_USAGE = 64;
const [folder, servers] = process.argv.slice(2);
if (servers === undefined) {
  console.error('usage: node infra/docker/all-in-one.mjs <folder> <servers>');
  process.exit(EXIT_USAGE);
}
const { optionalDependencies } = await stagePackage(folder, { pnpm: 'pnpm' });

// That of this platform, in the version of the lockfile, with the links between its libraries.
const { postgres } = await postgresBinaries(undefined);
const installed = path.resolve(path.dirname(postgres), '../..');
const { name, version } = readManifest(installed);
if (optionalDependencies[name] !== version)
  throw new Error(`${name}@${version} is not a dependency of ${folder}`);
const target = path.join(folder, 'node_modules', name);
cpSync(installed, target, { recursive: true, verbatimSymlinks: true });
rmSync(path.join(target, 'node_modules'), { recursive: true, force: true });

const nats = await findNatsRelease({ log: console.log });
if (nats.notice !== undefined) throw new Error(nats.notice);
mkdirSync(servers, { recursive: true });
copyFileSync(nats.file, path.join(servers, 'nats-server'));
