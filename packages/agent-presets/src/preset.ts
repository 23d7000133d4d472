import { readFileSync } from 'node:fs';
import { LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { type Preset, packageSchema, placeholderProblems, presetSchema } from './schema.js';

const PRESET_CHARS_MAX = 64 * 1024;

/** A package of a lockfile, with its place below `node_modules`. */
const lockedSchema = z.array(
  z.object({
    path: z.string().regex(/^(?!.*(?:^|\/)\.\.?(?:\/|$))[\w@.~/-]+$/, 'leaves the folder of packages'),
    name: packageSchema.shape.name,
    version: packageSchema.shape.version,
    integrity: packageSchema.shape.integrity,
  }),
);
export type LockedPackage = z.infer<typeof lockedSchema>[number];

/** A preset that cannot be used; `problems` name path, line and what is expected. */
export class PresetError extends Error {
  override readonly name = 'PresetError';

  constructor(
    readonly file: string,
    readonly problems: readonly string[],
  ) {
    super([`${file} is no valid preset:`, ...problems.map((problem) => `  ${problem}`)].join('\n'));
  }
}

/** Reads a preset. Throws PresetError. */
export function parsePreset(text: string, file: string): Preset {
  if (text.length > PRESET_CHARS_MAX) {
    throw new PresetError(file, [`it has more than ${PRESET_CHARS_MAX} characters`]);
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true });
  const [error] = document.errors;
  if (error) throw new PresetError(file, [`line ${error.linePos?.[0].line ?? 1}: ${error.message}`]);
  const parsed = presetSchema.safeParse(plainValue(document, file));
  if (!parsed.success) {
    throw new PresetError(file, parsed.error.issues.map(problemText));
  }
  const problems = placeholderProblems(parsed.data);
  if (problems.length > 0) throw new PresetError(file, problems.map(problemText));
  return parsed.data;
}

function problemText({ path, message }: { path: readonly PropertyKey[]; message: string }): string {
  return `${path.map(String).join('.') || '(document)'}: ${message}`;
}

function plainValue(document: ReturnType<typeof parseDocument>, file: string): unknown {
  try {
    // Aliases could expand to far more than the text.
    return document.toJS({ maxAliasCount: 10 });
  } catch (error) {
    throw new PresetError(file, [(error as Error).message]);
  }
}

/** Reads the packages of a lockfile. Throws PresetError. */
export function readLockfile(file: string): LockedPackage[] {
  try {
    return lockedSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new PresetError(file, [(error as Error).message]);
  }
}
