import path from 'node:path';

/** A file or folder that this product makes on a machine. */
export interface MadeItem {
  kind: 'settings' | 'stack' | 'cache' | 'sandbox state' | 'control group';
  /** Its content, for people. */
  what: string;
  path: string;
  /** `entries`: of a folder only these are ours, and the folder itself when nothing else is left in it. */
  entries?: readonly string[];
}

/** Where this product keeps things for one user. */
export interface MachineFolders {
  config: string;
  /** Data folders of stacks: the usual ones, and those that were named. */
  stacks: readonly string[];
  caches: readonly string[];
  sandboxStates: readonly string[];
  controlGroups: readonly string[];
}

const SETTINGS = ['config.yaml', 'stack.yaml'];
/** As `openLayout` of local-stack names them. */
export const STACK_ENTRIES = [
  ...['postgres', 'nats', 'blobs', 'agentclash.log', 'credentials.json', 'front-doors.json'],
  ...['vault-keys.json', 'stack.json', 'ports.json', 'settings.json'],
];
/** Every stack has written one of these with its first start: the folder is that of a stack. */
export const STACK_MARKERS = ['credentials.json', 'vault-keys.json'];

/** Everything that may be there, in the order of its removal: what others refer to comes last. */
export function madeItems(folders: MachineFolders): MadeItem[] {
  const unique = [...new Set(folders.stacks.map((folder) => path.resolve(folder)))];
  return [
    ...unique.map(
      (folder): MadeItem => ({
        ...{ kind: 'stack', what: 'databases, evidence and keys of a stack', path: folder },
        entries: STACK_ENTRIES,
      }),
    ),
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
      }),
    ),
    {
      ...{ kind: 'settings', what: 'servers and tokens of the command line', path: folders.config },
      entries: SETTINGS,
    },
  ];
}
