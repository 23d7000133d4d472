import { canonicalProvider } from './providers.js';
import type { PriceRow } from './types.js';

const DATE_SUFFIX = /-(?:\d{4}-\d{2}-\d{2}|\d{8})$/;

type RowIds = Partial<Pick<PriceRow, 'provider_key' | 'provider_model_id'>>;

/** The row that prices a model: the one of that exact id, else of the id without its trailing date. */
export function findPriceRow<R extends RowIds>(
  rows: readonly R[],
  model: { provider: string; id: string },
): R | undefined {
  const provider = canonicalProvider(model.provider);
  const byId = (id: string) =>
    rows.find(
      (row) =>
        row.provider_model_id === id &&
        row.provider_key !== undefined &&
        canonicalProvider(row.provider_key) === provider,
    );
  return byId(model.id) ?? byId(model.id.replace(DATE_SUFFIX, ''));
}
