import type { FieldPath } from '../../decode/field-path.js';
import type { DimensionDraft } from '../authored.js';
import { eachEntry, type SpecCheck } from './spec-check.js';

/** Warns of validators and judges that no dimension reads, unless a dimension that might could not be read. */
export function checkUsage(check: SpecCheck): void {
  const at = check.at.field('scorecard').field('dimensions');
  const dimensions = check.spec.scorecard?.dimensions ?? [];
  if (dimensions.length === 0) return;
  if (dimensions.some((dimension, index) => isUnclear(check, dimension, at.index(index)))) return;
  const readable = dimensions.filter((dimension) => dimension !== undefined);
  if (!readable.some(readsEveryValidator)) {
    const read = new Set(readable.filter(readsValidators).flatMap(({ validators }) => validators ?? []));
    reportUnused(check, { list: 'validators', code: 'unused_validator', read });
  }
  const judges = new Set(
    readable.filter(({ source }) => source === 'llm_judge').map(({ judge_key }) => judge_key),
  );
  reportUnused(check, { list: 'llm_judges', code: 'unused_judge', read: judges });
}

function isUnclear(check: SpecCheck, dimension: DimensionDraft | undefined, at: FieldPath): boolean {
  if (dimension?.source === undefined) return true;
  return ['source', 'validators', 'judge_key'].some((field) => check.isFaulty(at.field(field)));
}

function readsValidators({ source }: DimensionDraft): boolean {
  return source === 'validators';
}

function readsEveryValidator(dimension: DimensionDraft): boolean {
  return readsValidators(dimension) && (dimension.validators?.length ?? 0) === 0;
}

function reportUnused(
  check: SpecCheck,
  unused: {
    list: 'validators' | 'llm_judges';
    code: 'unused_validator' | 'unused_judge';
    read: ReadonlySet<string | undefined>;
  },
): void {
  eachEntry<{ key?: string }>(check.spec[unused.list], check.at.field(unused.list), ({ key }, at) => {
    const keyAt = at.field('key');
    if (key !== undefined && !unused.read.has(key) && !check.isFaulty(keyAt))
      check.report(unused.code, keyAt);
  });
}
