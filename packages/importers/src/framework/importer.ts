import type { ImportSource } from './import-source.js';
import type { Losses } from './loss-report.js';
import type { Origins } from './source-problems.js';

/** The options of a kind as they were given, by their names. */
export type ImportOptions = Readonly<Partial<Record<string, string>>>;

export interface ImportRequest {
  source: ImportSource;
  options: ImportOptions;
  /** Gets the fate of everything that is read. */
  losses: Losses;
  /** Gets the origins of the pack's cases, and of its challenges where each has one. */
  origins: Origins;
}

/** The name of the pack's document among the files. */
export const PACK_FILE = 'pack.yaml';

/** The files to write by path; one of them is `pack.yaml`. */
export type PackFiles = Map<string, string | Uint8Array>;

/**
 * Reads a source and writes a pack. Runs nothing, connects to nothing, and throws ImportError alone for what it reads.
 */
export type Importer = (request: ImportRequest) => Promise<PackFiles>;
