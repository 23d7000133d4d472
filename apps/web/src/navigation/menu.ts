import type { Whoami } from '@agentclash/api';
import {
  Activity,
  Bot,
  Boxes,
  Building2,
  Cpu,
  Flag,
  GitCompareArrows,
  KeyRound,
  type LucideIcon,
  Scale,
  ShieldCheck,
  SlidersHorizontal,
  Ticket,
  Webhook,
  Wrench,
} from 'lucide-react';

interface MenuItem {
  path: string;
  name: string;
  Icon: LucideIcon;
  /** The key after `g` in the keyboard shortcut. */
  key: string;
}

interface MenuGroup {
  title: string;
  items: readonly MenuItem[];
}

const HEALTH: MenuItem = { path: '/health', name: 'Health', Icon: Activity, key: 'h' };

/** The screens of a workspace, by group, in the order of the navigation. */
const IN_WORKSPACE: readonly MenuGroup[] = [
  {
    title: 'Races',
    items: [
      { path: '/runs', name: 'Runs', Icon: Flag, key: 'r' },
      { path: '/compare', name: 'Compare', Icon: GitCompareArrows, key: 'c' },
      { path: '/gates', name: 'Gates', Icon: ShieldCheck, key: 'g' },
      { path: '/reviews', name: 'Reviews', Icon: Scale, key: 'v' },
      { path: '/packs', name: 'Packs', Icon: Boxes, key: 'p' },
    ],
  },
  {
    title: 'Agents',
    items: [
      { path: '/deployments', name: 'Deployments', Icon: Bot, key: 'd' },
      { path: '/models', name: 'Models', Icon: Cpu, key: 'm' },
      { path: '/tools', name: 'Tools', Icon: Wrench, key: 't' },
      { path: '/profiles', name: 'Profiles', Icon: SlidersHorizontal, key: 'f' },
    ],
  },
  {
    title: 'Workspace',
    items: [
      { path: '/secrets', name: 'Secrets', Icon: KeyRound, key: 's' },
      { path: '/tokens', name: 'Tokens', Icon: Ticket, key: 'k' },
      { path: '/webhooks', name: 'Webhooks', Icon: Webhook, key: 'b' },
      HEALTH,
    ],
  },
];

/** The operator has access to no workspace. */
const OF_OPERATOR: readonly MenuGroup[] = [
  {
    title: 'Installation',
    items: [
      { path: '/workspaces', name: 'Workspaces', Icon: Building2, key: 'w' },
      { path: '/vault-keys', name: 'Vault keys', Icon: KeyRound, key: 'v' },
      HEALTH,
    ],
  },
];

/** Beside a file of results there are no resources. */
const OF_RESULTS: readonly MenuGroup[] = IN_WORKSPACE.slice(0, 1).map(({ title, items }) => ({
  title,
  items: items.filter(({ path }) => path === '/runs'),
}));

/** The menu of a caller. */
export function menuFor({ role, results_only: isOnlyResults, shared_run_id }: Whoami): readonly MenuGroup[] {
  if (shared_run_id !== undefined) return [];
  if (isOnlyResults) return OF_RESULTS;
  return role === 'operator' ? OF_OPERATOR : IN_WORKSPACE;
}

/** The first screen of a caller. */
export function homeFor({ role, shared_run_id }: Pick<Whoami, 'role' | 'shared_run_id'>): string {
  if (shared_run_id !== undefined) return `/runs/${shared_run_id}`;
  return role === 'operator' ? '/workspaces' : '/runs';
}
