export type FatalCode =
  | 'document_too_large'
  | 'document_empty'
  | 'yaml_syntax'
  | 'yaml_multiple_documents'
  | 'yaml_limit'
  | 'type_mismatch';

/** A problem that ends reading. `at` is its offset in the text, 0 when it has no place of its own. */
export class Fatal extends Error {
  constructor(
    readonly code: FatalCode,
    message: string,
    readonly at = 0,
  ) {
    super(message);
    this.name = 'Fatal';
  }
}
