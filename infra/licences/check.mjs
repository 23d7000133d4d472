// `pnpm licences`: every npm package of the lockfile has an allowed licence, or an exception with its reason
// (licences.json). One line per violation; it needs the installed packages, no network.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { explain } from '../bootstrap/setup/failure.mjs';
import { licenceViolations } from './rules.mjs';
import { writeSbom } from './sbom.mjs';

const folder = mkdtempSync(path.join(tmpdir(), 'licences-'));
try {
  const rules = JSON.parse(readFileSync(path.join(import.meta.dirname, 'licences.json'), 'utf8'));
  const installed = await writeSbom(path.join(folder, 'installed.json'));
  const all = await writeSbom(path.join(folder, 'all.json'), { isComplete: true });
  const violations = licenceViolations({ installed: installed.components, all: all.components, rules });
  for (const violation of violations) console.error(violation);
  console.log(
    `${all.components.length} packages, ${violations.length} violations of infra/licences/licences.json`,
  );
  if (violations.length > 0) process.exitCode = 1;
} catch (error) {
  process.exitCode = explain(error);
} finally {
  rmSync(folder, { recursive: true });
}
