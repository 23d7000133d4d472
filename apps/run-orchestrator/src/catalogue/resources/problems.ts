import { ContractError, type FieldProblem } from '@agentclash/contracts';

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
