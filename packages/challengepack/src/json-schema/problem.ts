/** Where a schema is not a JSON Schema of the drafts that are read, and why. */
export interface SchemaProblem {
  /** JSON Pointer into the schema. */
  readonly at: string;
  readonly message: string;
}

export class SchemaProblemError extends Error {
  override readonly name = 'SchemaProblemError';

  constructor(readonly problem: SchemaProblem) {
    super(`${problem.at || 'the schema'}: ${problem.message}`);
  }
}

export function refuseSchema(at: string, message: string): never {
  throw new SchemaProblemError({ at, message });
}

/** A key as one segment of a JSON Pointer (RFC 6901). */
export function pointerSegment(key: string | number): string {
  return `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
