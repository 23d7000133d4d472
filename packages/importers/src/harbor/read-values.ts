import { dirname, resolve } from 'node:path/posix';
import type { Losses } from '../framework/loss-report.js';
import type { TaskEnvironment } from './task.js';
import { isTable, type TableReader } from './toml.js';

/** The keys that `[agent]` and `[verifier]` share; the agent's user of an image is read before. */
export function reportPhase(
  table: TableReader,
  losses: Losses,
  { image }: Pick<TaskEnvironment, 'image'> = {},
): void {
  const isReported = image !== undefined && table.at('user') === 'agent.user';
  if (table.any('user') !== undefined && !isReported) {
    const reason = image
      ? 'the tests run as the user of the agent'
      : 'all processes of a sandbox run as one ordinary user, uid 1000';
    losses.dropped(table.where, table.at('user'), reason);
  }
  for (const key of ['network_mode', 'allowed_hosts']) {
    if (table.any(key) === undefined) continue;
    const reason =
      'the network of a sandbox is the same from beginning to end, and that of the verifier is none';
    losses.dropped(table.where, table.at(key), reason);
  }
}

/** The variables of a table's `env`. */
export function readEnv(table: TableReader, losses: Losses): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, text] of Object.entries(table.variables('env') ?? {})) {
    const key = `${table.at('env')}.${name}`;
    const { value, reason } = literalOf(text);
    if (value === undefined || !/^[A-Za-z_]\w*$/.test(name)) {
      losses.dropped(table.where, key, value === undefined ? reason : 'this is no name of a variable');
    } else {
      env[name] = value;
      if (reason === '') losses.carried(table.where, key, 'a variable of the command');
      else losses.changed(table.where, key, reason);
    }
  }
  return env;
}

/** The value of a variable without references to the host's. */
export function literalOf(text: string): { value?: string; reason: string } {
  const [, name, , fallback] = /^\$\{(\w+)(:-(.*))?\}$/.exec(text) ?? [];
  if (name === undefined) {
    if (!text.includes('${')) return { value: text, reason: '' };
    return { reason: 'it is made of variables of the host, which no sandbox has' };
  }
  if (fallback !== undefined)
    return { value: fallback, reason: `its default instead of ${name} of the host` };
  return { reason: `${name} is a variable of the host, which no sandbox has: give secrets to tools instead` };
}

/** Folders of the system, which no sandbox can make a part of its workspace. */
const SYSTEM = new Set([
  'bin',
  'boot',
  'dev',
  'etc',
  'lib',
  'lib32',
  'lib64',
  'proc',
  'run',
  'sbin',
  'sys',
  'tmp',
  'usr',
  'var',
]);

/** Reads `artifacts` of a task or a step, paths or tables with a source. Returns the folders that hold them. */
export function readArtifacts(table: TableReader, losses: Losses): string[] {
  const given = table.any('artifacts');
  if (given === undefined) return [];
  if (!Array.isArray(given)) throw table.fail('artifacts', 'expected a list');
  const folders = given.flatMap((entry, index) => {
    const source = isTable(entry) ? entry.source : entry;
    const key = `artifacts[${index}]`;
    if (typeof source !== 'string' || source === '') throw table.fail(key, 'expected a path or a source');
    const folder = folderOf(source);
    const reason = "the workspace is stored with every attempt, and is in the verifier's sandbox";
    if (folder === undefined)
      losses.dropped(table.where, table.at(key), `${source} is no part of a workspace`);
    else losses.carried(table.where, table.at(key), reason);
    return folder === undefined || folder === '' ? [] : [folder];
  });
  return folders;
}

/** The folder to store for a path: '' for one in the working directory, undefined where it is the system's. */
function folderOf(source: string): string | undefined {
  if (!source.startsWith('/')) return '';
  const path = resolve(source);
  const folder = /\.\w+$/.test(path) || /[*?]/.test(path) ? dirname(path) : path;
  const [, first = ''] = folder.split('/');
  return first === '' || SYSTEM.has(first) || /[*?]/.test(folder) ? undefined : folder;
}
