// `pnpm npm:pack [folder]`: makes the archive of the npm package `agentclash` in `folder` (default: dist/npm) from the built
// workspace, for `npm install FILE` and `npm publish FILE`.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { explain } from '../bootstrap/setup/failure.mjs';
import { repository } from '../bootstrap/setup/repository.mjs';
import { run } from '../bootstrap/setup/step.mjs';
import { stagePackage } from './stage.mjs';

/** Returns the path of the archive. */
export async function packPackage(folder) {
  mkdirSync(folder, { recursive: true });
  // The folder that every archive of npm has at its top.
  const { name, version } = await stagePackage(path.join(folder, 'package'));
  const archive = path.join(folder, `${name}-${version}.tgz`);
  // `npm pack` does not end with as many bundled packages.
  await run('tar', ['--create', '--gzip', '--file', archive, '--directory', folder, 'package']);
  return archive;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    console.log(await packPackage(path.resolve(process.argv[2] ?? path.join(repository, 'dist/npm'))));
  } catch (error) {
    process.exitCode = explain(error);
  }
}
