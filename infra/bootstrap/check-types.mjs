// `node check-types.mjs [project ...]`: the type errors of every project (default: the services and packages, then the
// web app, which has compiler options of its own), so that an error in one does not hide those of the next. What a check
// found is kept in .cache/types, so that the next one reads again only what a change can reach.
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
  const kept = path.join(repository, '.cache/types', `${project.replaceAll(/[^\w-]/g, '_')}.tsbuildinfo`);
  const tsc = [compiler, '-p', path.resolve(repository, project), '--incremental', '--tsBuildInfoFile', kept];
  const { status } = spawnSync(process.execPath, tsc, { stdio: 'inherit', cwd: repository });
  if (status !== 0) process.exitCode = 1;
}
