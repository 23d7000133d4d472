// `node check-types.mjs [project ...]`: the type errors of every project (default: the services and packages, then the
// web app, which has compiler options of its own), so that an error in one does not hide those of the next.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { repository } from './setup/repository.mjs';

const PROJECTS = ['tsconfig.json', 'apps/web'];

const given = process.argv.slice(2);
const compiler = path.join(
  path.dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
  'bin/tsc',
);
for (const project of given.length > 0 ? given : PROJECTS) {
  const tsc = [compiler, '-p', path.resolve(repository, project)];
  const { status } = spawnSync(process.execPath, tsc, { stdio: 'inherit', cwd: repository });
  if (status !== 0) process.exitCode = 1;
}
