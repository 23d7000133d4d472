// `node infra/release/version.mjs X.Y.Z`: sets the version of the next release in the manifests of all packages and in the names
// of our images.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const EXIT_USAGE = 64;
const VERSION = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/;

/** The files below `root` that have the version, relative to it. */
export function versionedFiles(root) {
  const below = (folder) =>
    readdirSync(path.join(root, folder), { recursive: true }).map((name) => path.join(folder, name));
  const manifests = ['apps', 'packages'].flatMap((folder) =>
    readdirSync(path.join(root, folder)).map((name) => path.join(folder, name, 'package.json')),
  );
  return [
    'package.json',
    ...manifests.filter((file) => existsSync(path.join(root, file))),
    ...below('infra/docker').filter((file) => /(?:docker-bake\.json|compose\.yaml)$/.test(file)),
    ...below('infra/k8s').filter((file) => file.endsWith('.yaml')),
  ];
}

/** A text of such a file in which `version` replaces `before`. Other versions in it stay. */
export function withVersion(text, before, version) {
  const old = before.replaceAll('.', '\\.');
  return text.replace(
    new RegExp(`(^ {2}"version": "|"VERSION": "|\\bagentclash/[\\w-]+:)${old}(?=["\\s]|-bubblewrap|$)`, 'gm'),
    (_, name) => `${name}${version}`,
  );
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const root = path.resolve(import.meta.dirname, '../..');
  const [version = ''] = process.argv.slice(2);
  if (!VERSION.test(version)) {
    console.error('usage: node infra/release/version.mjs X.Y.Z');
    process.exit(EXIT_USAGE);
  }
  const { version: before } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const changed = versionedFiles(root).filter((file) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    const next = withVersion(text, before, version);
    if (next !== text) writeFileSync(path.join(root, file), next);
    return next !== text;
  });
  console.log(
    `${before} is ${version} in ${changed.length} files. Next: pnpm recordings, pnpm golden, CHANGELOG.md`,
  );
}
