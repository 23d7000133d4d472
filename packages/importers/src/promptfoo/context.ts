import { ImportError } from '../framework/import-error.js';
import { type ImportSource, pathBeside, readText } from '../framework/import-source.js';
import type { Losses } from '../framework/loss-report.js';
import type { Origins } from '../framework/source-problems.js';
import { readYaml } from '../framework/yaml-source.js';
import { ConfigValue, resolveReferences } from './config-value.js';

/** An import of one configuration. */
export interface PromptfooContext {
  source: ImportSource;
  losses: Losses;
  origins: Origins;
  /** The path of the configuration: what it names is relative to its folder. */
  file: string;
}

const FILE = 'file://';

/** The path that `file://…` names; undefined for any other text. */
export function fileNamed(context: PromptfooContext, text: string): string | undefined {
  return text.startsWith(FILE) ? pathBeside(context.file, text.slice(FILE.length)) : undefined;
}

/** The result of reading what a value names: a file that cannot be read is a problem of the value. */
export async function namedBy<T>(at: ConfigValue, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    const [problem] = error.problems;
    const { file, line, row, field } = problem ?? {};
    if (problem === undefined || (line ?? row ?? field) !== undefined) throw error;
    throw at.fail(`${file ?? at.file}: ${problem.message}`);
  }
}

/** The root of a YAML or JSON file, its references resolved. */
export async function readConfigFile({ source }: PromptfooContext, file: string): Promise<ConfigValue> {
  const yaml = readYaml(await readText(source, file), file);
  const root = new ConfigValue(yaml, yaml.value);
  return root.with(resolveReferences(root));
}

export const DATA_FILE = /\.(?:ya?ml|json)$/i;
export const CODE_FILE = /\.(?:[cm]?[jt]sx?|py|rb|go)(?::\w+)?$/i;

/** Reports every key of a map that is not among the known ones. */
export function reportUnknownKeys(
  { losses }: PromptfooContext,
  at: ConfigValue,
  known: ReadonlySet<string>,
): void {
  for (const key of at.keys()) {
    if (!known.has(key))
      losses.dropped(at.file, at.at(key).commonPath, 'the importer does not know this key');
  }
}

/** Reports the keys of a map that have no counterpart, each with the reason. */
export function reportDropped(
  { losses }: PromptfooContext,
  at: ConfigValue,
  reasons: Readonly<Record<string, string>>,
): void {
  for (const [key, reason] of Object.entries(reasons)) {
    if (!at.at(key).isAbsent()) losses.dropped(at.file, at.at(key).commonPath, reason);
  }
}
