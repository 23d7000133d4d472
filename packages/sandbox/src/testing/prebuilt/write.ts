// `pnpm sandbox:prebuild`: builds the programs of `native` for this platform into `prebuilt`, with their digests.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PREBUILT_DIRECTORY, PrebuiltManifest } from '../../host/prebuilt-tools.js';
import { buildPrebuiltTools } from './build.js';

const file = path.join(PREBUILT_DIRECTORY, 'manifest.json');
const built = await buildPrebuiltTools(PREBUILT_DIRECTORY);
const known = await readFile(file, 'utf8').then(
  (text) => PrebuiltManifest.parse(JSON.parse(text)),
  () => undefined,
);
// Programs of other platforms stay as long as the sources are the same.
const others = known?.sources === built.sources ? known.programs : {};
const manifest: PrebuiltManifest = { ...built, programs: { ...others, ...built.programs } };
await writeFile(file, `${JSON.stringify(manifest, null, 2)}\n`);
