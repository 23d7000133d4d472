// `pnpm npm:pack [folder]`: makes the archive of the npm package `agentclash` in `folder` (default: dist/npm) from the built
// workspace, for `npm install FILE` and `npm publish FILE`.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { explain } from '../bootstrap/setup/failure.mjs';
import { repository } from '../bootstrap/setup/repository.mjs';
import { run } from '../bootstrap/setup/step.mjs';
import { stagePackage } from './stage.mjs';

/** The same content gives the same archive: a release whose job is run again compares it with the published one. */
const REPRODUCIBLE =
  process.platform === 'linux'
    ? ['--sort=name', '--mtime=@499162500', '--owner=0', '--group=0', '--numeric-owner']
    : [];

/** Returns the path of the archive. */
export async function packPackage(folder) {
  mkdirSync(folder, { recursive: true });
  // The folder that every archive of npm has at its top.
  const { name, version } = await stagePackage(path.join(folder, 'package'));
  const archive = path.join(folder, `${name}-${version}.tgz`);
  // `npm pack` does not end with as many bundled packages.
  const words = ['--create', '--gzip', '--file', archive, '--directory', folder, ...REPRODUCIBLE, 'package'];
  await run('tar', words);
  return archive;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    console.log(await packPackage(path.resolve(process.argv[2] ?? path.join(repository, 'dist/npm'))));
  } catch (error) {
    process.exitCode = explain(error);
  }
}
