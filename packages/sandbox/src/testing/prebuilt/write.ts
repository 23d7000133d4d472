// `pnpm sandbox:prebuild`: builds the programs of `native` for every platform into `prebuilt`, with their digests.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PREBUILT_DIRECTORY, type PrebuiltManifest, readNativeSources } from '../../host/prebuilt-tools.js';
import { buildPrebuiltTools, PREBUILT_PLATFORMS } from './build.js';

const programs: PrebuiltManifest['programs'] = {};
for (const platform of PREBUILT_PLATFORMS) {
  programs[platform] = await buildPrebuiltTools(PREBUILT_DIRECTORY, platform);
}
const manifest: PrebuiltManifest = { sources: (await readNativeSources()).digest, programs };
await writeFile(path.join(PREBUILT_DIRECTORY, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
