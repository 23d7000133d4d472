import type { SpecCheck } from './spec-check.js';

/** Who scores must be there: validators unless only models judge, judges unless none may. */
export function checkJudgeMode(check: SpecCheck): void {
  const { spec, at } = check;
  const mode = spec.judge_mode;
  if (mode === undefined) return;
  if (mode !== 'llm_judge' && isEmpty(spec.validators)) check.require(undefined, at.field('validators'));
  const judgesAt = at.field('llm_judges');
  if (mode === 'deterministic' && !isEmpty(spec.llm_judges)) {
    check.report('contradiction', judgesAt, { message: 'judge_mode deterministic has no model judges' });
  } else if (mode !== 'deterministic' && isEmpty(spec.llm_judges)) check.require(undefined, judgesAt);
}

function isEmpty(entries: readonly unknown[] | undefined): boolean {
  return entries === undefined || entries.length === 0;
}
