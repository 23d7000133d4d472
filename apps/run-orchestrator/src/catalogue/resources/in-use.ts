import { ContractError } from '@agentclash/contracts';

/** Names of what refers to a resource, by kind: `{deployments: ['solver']}`. */
export type Users = Record<string, string[]>;

/** Names read of each kind: an error message shows a few, not all. */
export const USERS_SHOWN = 10;

/** Refuses what would leave others without what they refer to, naming them. */
export function refuseInUse(what: string, users: Users): void {
  if (Object.values(users).some((names) => names.length > 0)) inUse(what, users);
}

export function inUse(what: string, users: Users): never {
  const named = Object.entries(users).filter(([, names]) => names.length > 0);
  const who = named.map(([kind, names]) => `${kind.replaceAll('_', ' ')} ${names.join(', ')}`).join('; ');
  throw new ContractError(
    'conflict',
    `${what} is still used: ${who}. Change or remove these first.`,
    Object.fromEntries(named),
  );
}
