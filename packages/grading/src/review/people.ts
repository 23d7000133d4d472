import { krippendorffAlpha, type RatedUnit } from '../judges/agreement.js';
import { cohenKappa, type RatedPair } from './cohen-kappa.js';
import { groupBy } from './majority.js';
import type { RaterPair } from './types.js';

interface Rating {
  readonly item_id: string;
  readonly rater: string;
}

/** Krippendorff's α (nominal) of the raters' categories. */
export function categoryAlpha<R extends Rating>(
  reviews: readonly R[],
  categories: readonly string[],
  categoryOf: (review: R) => string,
): number | null {
  const units = [...groupBy(reviews, ({ item_id }) => item_id).values()].map(
    (unit): RatedUnit => unit.map((review) => categories.indexOf(categoryOf(review))),
  );
  return krippendorffAlpha(units, 'nominal');
}

/** Cohen's κ of every two raters with a common item, by name. */
export function raterPairs<R extends Rating>(
  reviews: readonly R[],
  categoryOf: (review: R) => string,
): RaterPair[] {
  const byRater = [...groupBy(reviews, ({ rater }) => rater)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([rater, own]) => ({
      rater,
      byItem: new Map(own.map((review) => [review.item_id, categoryOf(review)])),
    }));
  return byRater.flatMap((one, index) =>
    byRater.slice(index + 1).flatMap((other): RaterPair[] => {
      const common = [...one.byItem].flatMap(([item, category]): RatedPair<string>[] => {
        const second = other.byItem.get(item);
        return second === undefined ? [] : [[category, second]];
      });
      return common.length === 0 ? [] : [{ raters: [one.rater, other.rater], ...cohenKappa(common) }];
    }),
  );
}
