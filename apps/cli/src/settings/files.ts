import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { CommandError } from '../command-error.js';
import { environment } from '../config.js';
import type { SettingsSource } from './resolve.js';

const PROJECT_FILE = '.agentclash.yaml';
const KEYS = ['api_url', 'token', 'operator_token', 'workspace'] as const;

/** The settings files that exist, in order of precedence: the nearest project's, the user's, the embedded stack's. */
export async function settingsFiles(folder: string): Promise<SettingsSource[]> {
  const found = await Promise.all([
    nearestProjectFile(folder),
    readSettings(path.join(environment.configFolder, 'config.yaml')),
    readSettings(path.join(environment.configFolder, 'stack.yaml')),
  ]);
  return found.filter((source) => source !== undefined);
}

async function nearestProjectFile(folder: string): Promise<SettingsSource | undefined> {
  const found = await readSettings(path.join(folder, PROJECT_FILE));
  const parent = path.dirname(folder);
  if (found !== undefined) return { ...found, isProject: true };
  return parent === folder ? undefined : await nearestProjectFile(parent);
}

async function readSettings(file: string): Promise<SettingsSource | undefined> {
  const text = await readIfThere(file);
  if (text === undefined) return undefined;
  const { parse } = await import('yaml');
  let content: unknown;
  try {
    content = parse(text) ?? {};
  } catch (cause) {
    throw new CommandError('usage', `${file} is not valid YAML`, { cause });
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new CommandError('usage', `${file} must hold a map`, { hint: `It may have ${KEYS.join(', ')}.` });
  }
  return { origin: file, isFile: true, ...settingsIn(content, file) };
}

function settingsIn(content: object, file: string): Partial<Record<(typeof KEYS)[number], string>> {
  const unknown = Object.keys(content).find((key) => !isKnown(key));
  if (unknown !== undefined) {
    throw new CommandError('usage', `${file}: "${unknown}" is not known`, {
      hint: `It may have ${KEYS.join(', ')}.`,
    });
  }
  const known = KEYS.flatMap((key) => {
    const value: unknown = Object.getOwnPropertyDescriptor(content, key)?.value;
    if (value === undefined || value === null) return [];
    if (typeof value !== 'string') throw new CommandError('usage', `${file}: ${key} must be a string`);
    return [[key, value] as const];
  });
  return Object.fromEntries(known);
}

/** `data` is the embedded stack's own: where its data lies. */
function isKnown(key: string): boolean {
  return key === 'data' || key.startsWith('x-') || KEYS.some((known) => known === key);
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new CommandError('usage', `${file} cannot be read (${code})`, { cause });
  }
}
