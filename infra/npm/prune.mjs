// Removes from installed packages what no program reads: half of their bytes.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { writeManifest } from './manifests.mjs';

/** Declarations, maps, documentation, caches of the compiler. Licences stay. */
const UNUSED_FILE = /(?:\.d\.[cm]?ts|\.map|\.tsbuildinfo|\.flow|(?<!licen[cs]e)\.md)$/i;
const UNUSED_FOLDER = new Set([
  'test',
  'tests',
  '__tests__',
  'docs',
  'doc',
  'example',
  'benchmark',
  'benchmarks',
]);
/** Of packages of others: what one of their versions ships beside what this product loads. */
const PARTS = {
  '@prisma/client': /^runtime\/.*\.(?:cockroachdb|mysql|sqlite|sqlserver)\./,
  '@vscode/tree-sitter-wasm':
    /^wasm\/tree-sitter-(?!python|javascript|typescript|tsx|go|rust|java|ruby|bash|cpp)[\w-]+\.wasm$/,
  rxjs: /^dist\/(?:bundles|esm|esm5|types)\/|^src\//,
};

/** Prunes the `packages` of `modules`; of `isOwn` ones the manifests too. */
export function prune(modules, packages, isOwn) {
  for (const { folder, manifest } of packages) {
    if (isOwn(manifest.name)) writeOwnManifest(folder, manifest, modules);
    pruneFolder(folder, { folder, parts: PARTS[manifest.name], isOwn: isOwn(manifest.name), manifest });
  }
}

function pruneFolder(at, context) {
  for (const entry of readdirSync(at, { withFileTypes: true })) {
    const file = path.join(at, entry.name);
    if (entry.name === 'node_modules') continue;
    if (isUnused(file, entry, context)) rmSync(file, { recursive: true });
    else if (entry.isDirectory()) pruneFolder(file, context);
  }
}

function isUnused(file, entry, { folder, parts, isOwn, manifest }) {
  const relative = path.relative(folder, file);
  if (isOwn) return entry.isFile() ? /(?:\.d\.[cm]?ts|\.map|\.tsbuildinfo)$/.test(file) : isOwnTest(relative);
  if (entry.isFile()) return UNUSED_FILE.test(entry.name) || parts?.test(relative) === true;
  if (relative === 'src')
    return !JSON.stringify([manifest.main, manifest.exports, manifest.imports]).includes('src/');
  return UNUSED_FOLDER.has(entry.name) && relative === entry.name;
}

/** True for files and folders that only tests read. */
function isOwnTest(relative) {
  return /^dist\/(?:.*\/)?testing$/.test(relative) || relative === 'dist/conformance';
}

/** Without what the workspace alone reads: sources, scripts, fixtures; with the versions of what is bundled. */
function writeOwnManifest(folder, manifest, modules) {
  const { name, version, license, type, engines, exports = {}, imports, dependencies = {} } = manifest;
  const built = (targets) =>
    Object.fromEntries(
      Object.entries(targets)
        .map(([specifier, target]) => [specifier, typeof target === 'string' ? target : target.default])
        .filter(([, file]) => !/^\.\/dist\/(?:.*\/)?(?:testing|conformance)\//.test(file)),
    );
  writeManifest(folder, {
    ...{ name, version, license, type, engines },
    exports: built(exports),
    ...(imports && { imports: built(imports) }),
    dependencies: Object.fromEntries(
      Object.keys(dependencies).map((dependency) => [dependency, versionOf(dependency, folder, modules)]),
    ),
  });
}

function versionOf(dependency, folder, modules) {
  const nearest = [path.join(folder, 'node_modules'), modules]
    .map((at) => path.join(at, dependency, 'package.json'))
    .find((file) => existsSync(file));
  if (nearest === undefined) throw new Error(`${dependency} of ${folder} is not installed`);
  return JSON.parse(readFileSync(nearest, 'utf8')).version;
}
