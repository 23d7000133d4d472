// The folder of the npm package `agentclash`, made from the built workspace. Everything that it runs is bundled in the
// versions of the lockfile, as separate packages, so that threads, migrations and files beside the code are found as in
// the workspace. PostgreSQL, which has a build per platform, is an optional dependency.
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { providePackages } from '../bootstrap/setup/packages.mjs';
import { repository } from '../bootstrap/setup/repository.mjs';
import { run } from '../bootstrap/setup/step.mjs';
import { packagesIn, readManifest, writeManifest } from './manifests.mjs';
import { prune } from './prune.mjs';

const COMMAND = '@agentclash/cli';
const WEB = '@agentclash/web';
const EMBEDDED = '@agentclash/embedded';
const OWN = '@agentclash/';

/**
 * Makes the package in `folder`, which is emptied first. Returns its manifest. Throws where something is not built.
 * `pnpm`: the program, where the packages of the workspace are installed; default: that of the set-up, which installs them.
 */
export async function stagePackage(folder, { pnpm } = {}) {
  rmSync(folder, { recursive: true, force: true });
  const modules = path.join(folder, 'node_modules');
  await install(folder, pnpm ?? path.join(await providePackages(), 'pnpm'));
  const { version, engines } = readManifest(path.join(repository, 'apps/cli'));
  for (const name of [COMMAND, WEB]) mkdirSync(path.join(modules, name), { recursive: true });
  for (const name of ['bin', 'dist', 'package.json'])
    renameSync(path.join(folder, name), path.join(modules, COMMAND, name));
  cpSync(path.join(repository, 'examples'), path.join(modules, COMMAND, 'examples'), { recursive: true });
  cpSync(path.join(repository, 'apps/web/dist'), path.join(modules, WEB, 'dist'), { recursive: true });
  writeManifest(path.join(modules, WEB), { name: WEB, version });
  const packages = packagesIn(modules);
  refuseOtherVersions(packages);
  const optionalDependencies = versionsOf(readManifest(path.join(modules, EMBEDDED)).optionalDependencies);
  prune(modules, packages, (name) => name.startsWith(OWN));
  const names = packages
    .filter(({ folder: at }) => path.relative(modules, at).split('node_modules').length === 1)
    .map(({ manifest }) => manifest.name)
    .sort();
  return writeRoot(folder, { version, engines, names, packages, optionalDependencies });
}

/** Puts the command and all that it needs into `folder`, flat, as copies: archives of npm have no links. */
async function install(folder, pnpm) {
  await run(
    pnpm,
    [
      ...['--filter', COMMAND, 'deploy', '--legacy', '--prod', '--no-optional'],
      ...['--config.node-linker=hoisted', '--config.package-import-method=copy', folder],
    ],
    { cwd: repository, env: { CI: 'true' } },
  );
  for (const name of ['node_modules/.bin', 'node_modules/.pnpm', 'node_modules/.modules.yaml', 'README.md'])
    rmSync(path.join(folder, name), { recursive: true, force: true });
}

/** Refuses packages that no test of this lockfile ran with. */
function refuseOtherVersions(packages) {
  const lock = readFileSync(path.join(repository, 'pnpm-lock.yaml'), 'utf8');
  const known = new Set([...lock.matchAll(/^ {2}'?([^\s'():]+@[^\s'():]+)/gm)].map(([, name]) => name));
  const others = packages
    .filter(({ manifest: { name } }) => !name.startsWith(OWN))
    .map(({ manifest: { name, version } }) => `${name}@${version}`)
    .filter((name) => !known.has(name));
  if (others.length > 0) throw new Error(`not in pnpm-lock.yaml: ${others.join(', ')}`);
}

/** Packages of other platforms are not installed here: their versions are those of the catalog. */
function versionsOf(dependencies) {
  const catalog = readFileSync(path.join(repository, 'pnpm-workspace.yaml'), 'utf8');
  const entries = Object.keys(dependencies).map((name) => {
    const version = new RegExp(`^ {2}["']?${name}["']?: (\\d\\S+)$`, 'm').exec(catalog)?.[1];
    if (version === undefined) throw new Error(`pnpm-workspace.yaml has no exact version of ${name}`);
    return [name, version];
  });
  return Object.fromEntries(entries);
}

function writeRoot(folder, { version, engines, names, packages, optionalDependencies }) {
  const root = readManifest(repository);
  const { name, description, license, repository: source } = root;
  const versions = new Map(packages.map(({ manifest }) => [manifest.name, manifest.version]));
  const manifest = {
    ...{ name, version, description, license, repository: source },
    type: 'module',
    bin: { agentclash: 'bin/agentclash.js' },
    engines,
    dependencies: Object.fromEntries(names.map((dependency) => [dependency, versions.get(dependency)])),
    optionalDependencies,
    bundleDependencies: names,
  };
  writeManifest(folder, manifest);
  mkdirSync(path.join(folder, 'bin'));
  const start = `#!/usr/bin/env node\nimport '${COMMAND}/command';\n`;
  writeFileSync(path.join(folder, 'bin/agentclash.js'), start, { mode: 0o755 });
  for (const file of ['LICENSE', 'CHANGELOG.md'])
    cpSync(path.join(repository, file), path.join(folder, file));
  cpSync(path.join(import.meta.dirname, 'README.md'), path.join(folder, 'README.md'));
  return manifest;
}
