import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type LockedPackage, parsePreset, readLockfile } from './preset.js';
import type { Preset } from './schema.js';

const DIRECTORY = fileURLToPath(new URL('../presets/', import.meta.url));

/** The presets that ship with the product, by name. */
export function builtinPresets(): ReadonlyMap<string, Preset> {
  const files = readdirSync(DIRECTORY).filter((name) => name.endsWith('.yaml'));
  return new Map(
    files.sort().map((file) => {
      const preset = parsePreset(readFileSync(path.join(DIRECTORY, file), 'utf8'), file);
      return [preset.name, preset];
    }),
  );
}

/** True when a preset brings packages or a Node.js; false when it runs only programs of the image. */
export function hasPackages({ packages, lockfile, node }: Preset): boolean {
  return packages.length > 0 || lockfile !== undefined || node;
}

/** Digest of a preset's lockfile, lower-case hex; undefined where it has none. Throws PresetError. */
export function lockfileDigest({ lockfile }: Preset): string | undefined {
  if (lockfile === undefined) return undefined;
  return createHash('sha256')
    .update(readFileSync(path.join(DIRECTORY, lockfile)))
    .digest('hex');
}

/** All packages that a preset of the product needs. Throws PresetError. */
export function packagesOf(preset: Preset): LockedPackage[] {
  const own = preset.packages.map(({ name, version, integrity }) => ({
    path: name,
    name,
    version,
    integrity,
  }));
  return preset.lockfile === undefined
    ? own
    : [...own, ...readLockfile(path.join(DIRECTORY, preset.lockfile))];
}
