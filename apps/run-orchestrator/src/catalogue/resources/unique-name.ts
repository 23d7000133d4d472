import { ContractError } from '@agentclash/contracts';
import { refusalOf } from '../../database.js';

/** A name that another resource of the workspace has. */
export const NAME_TAKEN = 'name taken';
export type NameTaken = typeof NAME_TAKEN;

/** Makes a value of the database's refusal to store a name twice. */
export async function unlessTaken<T>(write: () => Promise<T>): Promise<T | NameTaken> {
  try {
    return await write();
  } catch (error) {
    if (refusalOf(error) === 'duplicate') return NAME_TAKEN;
    throw error;
  }
}

export function nameTaken(what: string, name: string): never {
  throw new ContractError('conflict', `There is ${what} named "${name}" already.`, {
    errors: [{ code: 'not_unique', field: 'name', message: 'is taken' }],
  });
}

/** Something it refers to was removed in the meantime. */
export function isDangling(error: unknown): boolean {
  return refusalOf(error) === 'dangling';
}
