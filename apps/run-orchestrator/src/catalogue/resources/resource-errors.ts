import { ContractError, type FieldProblem } from '@agentclash/contracts';
import { constraintViolationOf } from '../../database.js';

/** Names of what refers to a resource, by kind: `{deployments: ['solver']}`. */
export type Users = Record<string, string[]>;

/** Names read of each kind: an error message shows a few, not all. */
export const USERS_SHOWN = 10;

/** Refuses what would leave others without what they refer to, naming them. */
export function refuseInUse(what: string, users: Users): void {
  const named = Object.entries(users).filter(([, names]) => names.length > 0);
  if (named.length === 0) return;
  const who = named.map(([kind, names]) => `${kind.replaceAll('_', ' ')} ${names.join(', ')}`).join('; ');
  throw new ContractError(
    'conflict',
    `${what} is still used: ${who}. Change or remove these first.`,
    Object.fromEntries(named),
  );
}

/** Rejects a resource with all its problems at once. */
export function refuseInvalid(what: string, errors: FieldProblem[]): void {
  const [first] = errors;
  if (!first) return;
  throw new ContractError('invalid_input', `${what} is not valid: ${first.field} ${first.message}.`, {
    errors,
  });
}

/** Something that the resource refers to is not there. */
export function unknownReference(what: string, field: string, message: string): never {
  throw new ContractError('not_found', what, { errors: [{ code: 'unknown_reference', field, message }] });
}

/** Runs a write of a resource of this name; fails with `conflict` when the database has the name already. */
export async function writeNamed<T>(what: string, name: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (constraintViolationOf(error) !== 'duplicate') throw error;
    throw new ContractError('conflict', `There is ${what} named "${name}" already.`, {
      errors: [{ code: 'not_unique', field: 'name', message: 'is taken' }],
    });
  }
}

/** Something it refers to was removed in the meantime. */
export function isDangling(error: unknown): boolean {
  return constraintViolationOf(error) === 'dangling';
}
