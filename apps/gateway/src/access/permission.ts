import { ROLES, type Route } from '@agentclash/api';
import { ContractError } from '@agentclash/contracts';
import type { Caller } from '../http/caller.js';

/** Fails with `forbidden` when the caller's role is too low for the route. */
export function checkPermission(route: Route, { role }: Pick<Caller, 'role'>): void {
  const { access } = route;
  if (access === 'public' || access === 'any_token') return;
  const needed = access === 'signed' ? 'viewer' : access;
  if (role === 'operator') {
    if (needed === 'operator' || route.operatorMay) return;
    throw new ContractError(
      'forbidden',
      'The operator makes workspaces and tokens; use a token of the workspace.',
    );
  }
  if (needed !== 'operator' && ROLES.indexOf(role) >= ROLES.indexOf(needed)) return;
  throw new ContractError('forbidden', `This needs the role "${needed}"; the token has "${role}".`);
}
