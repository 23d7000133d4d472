// `pnpm run sbom [file]`: writes the software bill of materials of all npm packages that the workspace has, as CycloneDX
// JSON (default: dist/agentclash.cdx.json). pnpm makes it from the lockfile and from the installed packages.
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { explain } from '../bootstrap/setup/failure.mjs';
import { providePackages } from '../bootstrap/setup/packages.mjs';
import { repository } from '../bootstrap/setup/repository.mjs';
import { run } from '../bootstrap/setup/step.mjs';

/** The newest that common readers of such documents know; 1.7 exists. */
const SPEC_VERSION = '1.6';

/** Writes the document. With `isComplete` it has the packages of other platforms too, then without any licence. */
export async function writeSbom(file, { isComplete = false } = {}) {
  const pnpm = path.join(await providePackages(), 'pnpm');
  mkdirSync(path.dirname(file), { recursive: true });
  const options = [
    '--sbom-format',
    'cyclonedx',
    '--sbom-spec-version',
    SPEC_VERSION,
    '--sbom-type',
    'application',
  ];
  await run(pnpm, ['sbom', ...options, ...(isComplete ? ['--lockfile-only'] : []), '--out', file], {
    cwd: repository,
  });
  return JSON.parse(readFileSync(file, 'utf8'));
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const file = path.resolve(process.argv[2] ?? path.join(repository, 'dist/agentclash.cdx.json'));
  try {
    const { components } = await writeSbom(file);
    console.log(`${file}: ${components.length} components`);
  } catch (error) {
    process.exitCode = explain(error);
  }
}
