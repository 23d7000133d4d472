import path from 'node:path';
import { KNOWN_STACKS_FILE } from '../stack/known-stacks.js';

/** A file or folder that this product makes on a machine. */
export interface MadeItem {
  kind: 'settings' | 'stack' | 'cache' | 'sandbox state' | 'control group';
  /** Its content, for people. */
  what: string;
  path: string;
  /** Of a folder, these entries are ours, and the folder itself when nothing else is left in it. Default: all of it. */
  isOurs?: (name: string) => boolean;
}

/** Where this product keeps things for one user. */
export interface MachineFolders {
  config: string;
  /** Data folders of stacks: the usual ones, and those that were named. */
  stacks: readonly string[];
  /** Data folders of other stacks that this user has started: they are named, and stay. */
  otherStacks: readonly string[];
  caches: readonly string[];
  sandboxStates: readonly string[];
  controlGroups: readonly string[];
}

const SETTINGS = ['config.yaml', 'stack.yaml'];
/** Servers, packages of coding agents, images and roots of sandboxes, compiled code, programs that benchmarks compare with. */
const CACHE_ENTRY = /^(nats-server|postgresql-.+|agents|sandbox|compiled|bench-peers)$/;
/** As `openLayout` of local-stack names them. */
export const STACK_ENTRIES = [
  ...['postgres', 'nats', 'blobs', 'agentclash.log', 'credentials.json', 'front-doors.json'],
  ...['vault-keys.json', 'stack.json', 'ports.json', 'settings.json'],
];
/** Every stack has written one of these with its first start: the folder is that of a stack. */
export const STACK_MARKERS = ['credentials.json', 'vault-keys.json'];

/** Everything that may be there, in the order of its removal: what others refer to comes last. */
export function madeItems(folders: MachineFolders): MadeItem[] {
  return [
    ...stackItems(folders.stacks),
    ...folders.sandboxStates.map(
      (folder): MadeItem => ({
        ...{ kind: 'sandbox state', what: 'records and roots of sandboxes', path: folder },
      }),
    ),
    ...folders.controlGroups.map(
      (folder): MadeItem => ({
        ...{ kind: 'control group', what: 'limits of sandboxes', path: folder },
      }),
    ),
    ...folders.caches.map(
      (folder): MadeItem => ({
        ...{ kind: 'cache', what: 'servers, packages of agents, images and roots', path: folder },
        isOurs: (name) => CACHE_ENTRY.test(name),
      }),
    ),
    {
      ...{ kind: 'settings', what: 'servers and tokens of the command line', path: folders.config },
      isOurs: (name) =>
        SETTINGS.includes(name) || (name === KNOWN_STACKS_FILE && folders.otherStacks.length === 0),
    },
  ];
}

export function stackItems(folders: readonly string[]): MadeItem[] {
  const unique = [...new Set(folders.map((folder) => path.resolve(folder)))];
  return unique.map((folder) => ({
    ...{ kind: 'stack', what: 'databases, evidence and keys of a stack', path: folder },
    isOurs: (name) => STACK_ENTRIES.includes(name),
  }));
}
