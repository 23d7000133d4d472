// The packages of a folder of installed packages.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export function readManifest(folder) {
  return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
}

export function writeManifest(folder, manifest) {
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Every package in `modules` and in the `node_modules` of its packages, with its folder and its manifest. */
export function packagesIn(modules) {
  if (!existsSync(modules)) return [];
  const folders = readdirSync(modules).flatMap((name) =>
    name.startsWith('@')
      ? readdirSync(path.join(modules, name)).map((inner) => path.join(modules, name, inner))
      : [path.join(modules, name)],
  );
  return folders
    .filter((folder) => existsSync(path.join(folder, 'package.json')))
    .flatMap((folder) => [
      { folder, manifest: readManifest(folder) },
      ...packagesIn(path.join(folder, 'node_modules')),
    ]);
}
