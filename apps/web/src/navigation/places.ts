import {
  Activity,
  Bot,
  Boxes,
  Cpu,
  Flag,
  GitCompareArrows,
  KeyRound,
  type LucideIcon,
  ShieldCheck,
  SlidersHorizontal,
  Ticket,
  Wrench,
} from 'lucide-react';

interface Place {
  path: string;
  name: string;
  Icon: LucideIcon;
  /** After `g` this key goes there. */
  key: string;
}

/** The main places, in the order of the navigation, by group. */
export const PLACES: readonly { title: string; places: readonly Place[] }[] = [
  {
    title: 'Races',
    places: [
      { path: '/runs', name: 'Runs', Icon: Flag, key: 'r' },
      { path: '/compare', name: 'Compare', Icon: GitCompareArrows, key: 'c' },
      { path: '/gates', name: 'Gates', Icon: ShieldCheck, key: 'g' },
      { path: '/packs', name: 'Packs', Icon: Boxes, key: 'p' },
    ],
  },
  {
    title: 'Agents',
    places: [
      { path: '/deployments', name: 'Deployments', Icon: Bot, key: 'd' },
      { path: '/models', name: 'Models', Icon: Cpu, key: 'm' },
      { path: '/tools', name: 'Tools', Icon: Wrench, key: 't' },
      { path: '/profiles', name: 'Profiles', Icon: SlidersHorizontal, key: 'f' },
    ],
  },
  {
    title: 'Workspace',
    places: [
      { path: '/secrets', name: 'Secrets', Icon: KeyRound, key: 's' },
      { path: '/tokens', name: 'Tokens', Icon: Ticket, key: 'k' },
      { path: '/health', name: 'Health', Icon: Activity, key: 'h' },
    ],
  },
];
