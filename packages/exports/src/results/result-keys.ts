import { isJsonObject, readEvaluationSpec } from '@agentclash/challengepack';
import type { ResultKeys } from './columns.js';

/** The keys of the results by an evaluation spec. */
export function resultKeysOf(document: unknown): ResultKeys {
  const spec = isJsonObject(document) ? readEvaluationSpec(document) : undefined;
  const keys = (items: readonly { key: string }[] = []) => items.map(({ key }) => key);
  return {
    dimensions: keys(spec?.scorecard.dimensions),
    validators: keys(spec?.validators),
    judges: keys(spec?.llm_judges),
    metrics: keys(spec?.metrics),
  };
}
