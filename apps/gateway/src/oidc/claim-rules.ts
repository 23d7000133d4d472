import { ROLES, type Role } from '@agentclash/domain';
import type { Rule } from '../issuer-settings.js';

export type Claims = Readonly<Record<string, unknown>>;

/** The roles of a token's holder, by workspace slug. */
export type Grants = ReadonlyMap<string, Role>;

/** From all rules that match; where several name a workspace, the highest role counts. */
export function grantsOf(rules: readonly Rule[], claims: Claims): Grants {
  const grants = new Map<string, Role>();
  for (const { workspace, role } of rules.filter((rule) => doesMatch(rule, claims))) {
    const known = grants.get(workspace);
    if (known === undefined || ROLES.indexOf(role) > ROLES.indexOf(known)) grants.set(workspace, role);
  }
  return grants;
}

function doesMatch(rule: Rule, claims: Claims): boolean {
  return Object.entries(rule.claims).every(([name, pattern]) => {
    const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
    const values: unknown[] = Array.isArray(value) ? value : [value];
    return values.some((each) => isLike(pattern, each));
  });
}

function isLike(pattern: string | number | boolean, value: unknown): boolean {
  if (typeof pattern !== 'string' || typeof value !== 'string') return pattern === value;
  const [start = '', ...rest] = pattern.split('*');
  const end = rest.pop();
  if (end === undefined) return pattern === value;
  if (!value.startsWith(start) || value.length < start.length + end.length || !value.endsWith(end))
    return false;
  let left = value.slice(start.length, value.length - end.length);
  for (const part of rest) {
    const at = left.indexOf(part);
    if (at < 0) return false;
    left = left.slice(at + part.length);
  }
  return true;
}
