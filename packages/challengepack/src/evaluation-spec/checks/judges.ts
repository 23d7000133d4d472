import type { FieldPath } from '../../decode/field-path.js';
import { schemaProblem } from '../../json-schema/json-schema.js';
import type { JudgeDraft } from '../authored.js';
import { JUDGE_DEFAULTS } from '../defaults.js';
import type { JudgeKind } from '../types.js';
import { checkJudgeModels } from './judge-models.js';
import { checkReference } from './references.js';
import { eachEntry, type SpecCheck } from './spec-check.js';

/** The instructions or references of each kind of judge. */
const NEEDS: Record<JudgeKind, readonly ('rubric' | 'reference_from' | 'assertion' | 'prompt')[]> = {
  rubric: ['rubric'],
  reference: ['rubric', 'reference_from'],
  assertion: ['assertion'],
  n_wise: ['prompt'],
};

/** A placeholder of a secret, with the encodings and blanks that tools allow or authors add; `$${` is literal text. */
const SECRET = /(?<!\$)\$\{\s*(?:[a-z]+\s*:\s*)?secrets\s*\./u;

export function checkJudges(check: SpecCheck): void {
  eachEntry(check.spec.llm_judges, check.at.field('llm_judges'), (judge, at) => {
    if (judge.mode !== undefined) {
      for (const field of NEEDS[judge.mode]) check.require(judge[field], at.field(field));
    }
    checkJudgeModels(check, judge, at);
    checkEvidence(check, judge, at);
    checkInstructions(check, judge, at);
    checkScale(check, judge, at);
    checkOutputSchema(check, judge, at);
  });
}

function checkEvidence(check: SpecCheck, judge: JudgeDraft, at: FieldPath): void {
  eachEntry(judge.context_from, at.field('context_from'), (text, textAt) => {
    checkReference(check, text, textAt);
  });
  if (judge.reference_from !== undefined)
    checkReference(check, judge.reference_from, at.field('reference_from'));
}

/** Secrets never enter a prompt; a placeholder would show that the author expects one to. */
function checkInstructions(check: SpecCheck, judge: JudgeDraft, at: FieldPath): void {
  for (const field of ['rubric', 'assertion', 'prompt'] as const) {
    if (SECRET.test(judge[field] ?? '')) {
      check.report('secret_not_allowed', at.field(field), { message: 'secrets never reach a judge' });
    }
  }
}

function checkScale(check: SpecCheck, { score_scale }: JudgeDraft, at: FieldPath): void {
  const scaleAt = at.field('score_scale');
  if (check.isFaulty(scaleAt.field('min')) || check.isFaulty(scaleAt.field('max'))) return;
  const { min, max } = { ...JUDGE_DEFAULTS.score_scale, ...score_scale };
  if (min >= max) check.report('out_of_range', scaleAt, { message: 'min must lie below max' });
}

function checkOutputSchema(check: SpecCheck, { output_schema }: JudgeDraft, at: FieldPath): void {
  const problem = output_schema === undefined ? null : schemaProblem(output_schema);
  if (problem !== null) check.report('invalid_schema', at.field('output_schema'), { message: problem });
}
