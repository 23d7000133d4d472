// Joins the compiled library and what it imports into one file: reading one pack takes less time than finding and
// linking three hundred modules.
import { build } from 'esbuild';

await build({
  entryPoints: ['dist/index.js'],
  outfile: 'dist/challengepack.js',
  bundle: true,
  platform: 'neutral',
  mainFields: ['module', 'main'],
  format: 'esm',
  target: 'es2022',
  sourcemap: true,
});
