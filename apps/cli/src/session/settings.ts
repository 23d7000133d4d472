import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { CommandError } from '../command-error.js';
import { environment } from '../config.js';

/** The settings of the server that one source holds. */
export interface SettingsSource {
  /** Shown to people: a file's path, `environment`, `options`. */
  origin: string;
  api_url?: string | undefined;
  token?: string | undefined;
  /** The operator's, of an installation whose owner wrote it down. */
  operator_token?: string | undefined;
  workspace?: string | undefined;
  /** A file's token is for the server that the same file names, and is shown to no other. */
  isFile?: boolean;
  /** It comes with a project, whose author need not be the user: it may not choose where the user's token goes. */
  isProject?: boolean;
}

export interface Setting {
  value: string;
  origin: string;
}

export interface Settings {
  apiUrl: Setting | undefined;
  /** A token that is not sent, because only a project file names the server. */
  withheldToken?: Setting;
  token: Setting | undefined;
  operatorToken: Setting | undefined;
  workspace: Setting | undefined;
}

/** Each setting from the first source, in order of precedence, that has it. */
export function resolveSettings(sources: readonly SettingsSource[]): Settings {
  const apiUrl = first(sources, 'api_url');
  const isTrusted = sources.some(
    (source) =>
      source.isProject !== true && source.api_url !== undefined && sameServer(source.api_url, apiUrl?.value),
  );
  const lenders = sources.filter((source) => maySendToken(source, apiUrl?.value, isTrusted));
  const token = first(lenders, 'token');
  const withheldToken = token === undefined && apiUrl !== undefined ? first(sources, 'token') : undefined;
  return {
    apiUrl,
    ...(withheldToken !== undefined && { withheldToken }),
    token,
    operatorToken: first(lenders, 'operator_token'),
    workspace: first(
      sources.filter((source) => knowsWorkspacesOf(source, apiUrl?.value)),
      'workspace',
    ),
  };
}

function first(
  sources: readonly SettingsSource[],
  name: 'api_url' | 'token' | 'operator_token' | 'workspace',
): Setting | undefined {
  for (const { origin, [name]: value } of sources) {
    if (value !== undefined && value !== '') return { value, origin };
  }
  return undefined;
}

/**
 * The token of a file is for the server that the same file names. One from the options or the environment names none:
 * it is for a server that the user chose, there or in a file of the user's own.
 */
function maySendToken(
  { isFile, api_url }: SettingsSource,
  apiUrl: string | undefined,
  isTrusted: boolean,
): boolean {
  return isFile ? api_url !== undefined && sameServer(api_url, apiUrl) : isTrusted || apiUrl === undefined;
}

/** A file that names a server names workspaces there; one that names none applies to any. */
function knowsWorkspacesOf({ isFile, api_url }: SettingsSource, apiUrl: string | undefined): boolean {
  return !isFile || api_url === undefined || sameServer(api_url, apiUrl);
}

function sameServer(left: string, right: string | undefined): boolean {
  return right !== undefined && left.replace(/\/+$/, '') === right.replace(/\/+$/, '');
}

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
