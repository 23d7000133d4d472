// Joins the compiled library and what it imports into one file: reading one pack takes less time than finding and
// linking three hundred modules. Beside it are the licences of the packages that are in it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

const { metafile } = await build({
  entryPoints: ['dist/index.js'],
  outfile: 'dist/challengepack.js',
  bundle: true,
  platform: 'neutral',
  mainFields: ['module', 'main'],
  format: 'esm',
  target: 'es2022',
  sourcemap: true,
  metafile: true,
});

const folders = Object.keys(metafile.inputs).flatMap(
  (file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? [],
);
const texts = [...new Set(folders)].map(licenceOf).sort();
writeFileSync('dist/THIRD-PARTY-LICENSES.txt', texts.join('\n\n'));

/** Throws where a package comes without the text of its licence. */
function licenceOf(folder) {
  const { name, version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  if (file === undefined) throw new Error(`${name} has no file with its licence`);
  return `${name} ${version}\n\n${readFileSync(path.join(folder, file), 'utf8').trim()}\n`;
}
