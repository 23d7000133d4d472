import type { Decimal } from '../../values/decimal.js';

/** A parsed mathematical expression. Roots are powers; sums and products are flat lists, so depth means nesting. */
export type Expression =
  | { readonly kind: 'number'; readonly value: Decimal }
  | { readonly kind: 'symbol'; readonly name: string }
  | { readonly kind: 'sum'; readonly terms: readonly Term[] }
  | { readonly kind: 'product'; readonly factors: readonly Factor[] }
  | { readonly kind: 'power'; readonly base: Expression; readonly exponent: Expression };

export interface Term {
  readonly isSubtracted: boolean;
  readonly value: Expression;
}

export interface Factor {
  readonly isDivisor: boolean;
  readonly value: Expression;
}

/** The one symbol with a number behind it. */
export const PI = 'pi';
