/** Two raters' ratings of one item. */
export type RatedPair<Category> = readonly [Category, Category];

export interface RaterAgreement {
  /** Items that both rated. */
  readonly items: number;
  /** The share of them that both rated alike; null for none. */
  readonly agreement: number | null;
  /** Cohen's κ: 1 is perfect agreement, 0 is chance; null when both raters use one and the same category. */
  readonly kappa: number | null;
}

/** Agreement of two raters on the items that both rated (Cohen 1960), without weights. */
export function cohenKappa<Category>(ratings: readonly RatedPair<Category>[]): RaterAgreement {
  const items = ratings.length;
  if (items === 0) return { items, agreement: null, kappa: null };
  const [ofOne, ofOther] = [new Map<Category, number>(), new Map<Category, number>()];
  let equal = 0;
  for (const [one, other] of ratings) {
    ofOne.set(one, (ofOne.get(one) ?? 0) + 1);
    ofOther.set(other, (ofOther.get(other) ?? 0) + 1);
    if (one === other) equal += 1;
  }
  let chance = 0;
  for (const [category, count] of ofOne) chance += count * (ofOther.get(category) ?? 0);
  const agreement = equal / items;
  // Counts, not shares: raters that use one category are recognized without a rounding error.
  const kappa = chance === items ** 2 ? null : (equal * items - chance) / (items ** 2 - chance);
  return { items, agreement, kappa };
}
