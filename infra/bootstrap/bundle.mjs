// `node ../../infra/bootstrap/bundle.mjs dist/index.js [entry …]`, in the folder of a compiled package: joins the modules of
// the entries into few files in dist/bundle, since finding and linking a thousand modules takes longer than a short command.
// Other packages stay imports. Where a module has a URL of its own, it stays that of the compiled module.
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

const FOLDER = 'dist/bundle';

rmSync(FOLDER, { recursive: true, force: true });
await build({
  entryPoints: process.argv.slice(2),
  outdir: FOLDER,
  // All files are in one folder, so that what a module finds beside itself has the same relative path in each of them.
  entryNames: '[name]',
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node22',
  // Errors and reports have the names of their classes.
  keepNames: true,
  sourcemap: true,
  logLevel: 'warning',
  plugins: [{ name: 'locations', setup: ({ onLoad }) => onLoad({ filter: /\.js$/ }, withLocation) }],
});

/** The module with its own location in the place of that of the bundle. */
function withLocation({ path: file }) {
  const text = readFileSync(file, 'utf8');
  if (!text.includes('import.meta.')) return undefined;
  const own = path.relative(path.resolve(FOLDER), file).split(path.sep).join('/');
  const contents = text.replace(/\bimport\.meta\.(\w+)/g, (all, member) => {
    switch (member) {
      case 'url':
        return `new URL(${JSON.stringify(own)}, import.meta.url).href`;
      case 'dirname':
        return `(import.meta.dirname + ${JSON.stringify(`/${path.posix.dirname(own)}`)})`;
      case 'resolve':
        return all;
      default:
        throw new Error(`${file} has ${all}, which a bundle does not keep`);
    }
  });
  return { contents, loader: 'js' };
}
