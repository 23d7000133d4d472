import type { Regex } from '../expected/regex.js';
import { APPLICATORS } from './applicators.js';
import { ASSERTIONS } from './assertions.js';
import type { SchemaDraft } from './dialect.js';
import type { KeywordCheck } from './evaluation.js';
import type { ReferenceTarget, SchemaNode } from './schema-index.js';

/** What a keyword may look at when it is made ready. */
export interface KeywordContext {
  readonly draft: SchemaDraft;
  /** The schema that the keyword is a member of. */
  readonly siblings: Readonly<Record<string, unknown>>;
  readonly assertsFormats: boolean;
  /** The subschema below the keyword, or below one of its keys. */
  below(key?: string | number): SchemaNode;
  /** The subschema below a sibling keyword. */
  beside(keyword: string): SchemaNode | null;
  resolve(reference: string): ReferenceTarget;
  regex(pattern: string): Regex;
}

/** Makes a keyword ready; null when its value asserts nothing. */
export type Keyword = (value: unknown, context: KeywordContext) => KeywordCheck | null;

/** In the order in which they are applied: cheap assertions first, what depends on the others last. */
export const KEYWORDS: readonly (readonly [name: string, keyword: Keyword])[] = [
  ...Object.entries(ASSERTIONS),
  ...Object.entries(APPLICATORS),
];
