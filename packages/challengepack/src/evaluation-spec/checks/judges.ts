import type { FieldPath } from '../../decode/field-path.js';
import { schemaProblem } from '../../json-schema/json-schema.js';
import type { JudgeDraft, SpecDraft } from '../authored.js';
import { JUDGE_DEFAULTS } from '../defaults.js';
import { modelAlias, providerOfModel } from '../providers.js';
import type { JudgeKind } from '../types.js';
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

/** Every model that judges. */
export function judgeModels(spec: SpecDraft): string[] {
  return (spec.llm_judges ?? []).flatMap((judge) => (judge ? modelsOf(judge) : []));
}

/** A judge has either one model or a list, each of a known provider. */
function checkJudgeModels(check: SpecCheck, judge: JudgeDraft, at: FieldPath): void {
  const modelAt = at.field('model');
  const modelsAt = at.field('models');
  const isFaulty = check.isFaulty(modelAt) || check.isFaulty(modelsAt);
  const hasList = judge.models !== undefined && judge.models.length > 0;
  if (!isFaulty && (judge.model !== undefined) === hasList) {
    check.report('exactly_one_of', modelAt, { message: 'give either model or models' });
  }
  if (judge.model !== undefined) checkModel(check, judge.model, modelAt);
  eachEntry(judge.models, modelsAt, (model, entryAt) => checkModel(check, model, entryAt));
  if (!isFaulty) checkConsensus(check, judge, at);
}

function checkModel(check: SpecCheck, model: string, at: FieldPath): void {
  const alias = modelAlias(model);
  const isKnown = alias === undefined ? providerOfModel(model) !== undefined : alias !== '';
  if (!isKnown) check.report('unknown_value', at, { message: 'no provider has models of this name' });
}

/** Several models, and only they, need a rule that joins their scores. */
function checkConsensus(check: SpecCheck, judge: JudgeDraft, at: FieldPath): void {
  const consensusAt = at.field('consensus');
  const count = judge.models?.length ?? (judge.model === undefined ? 0 : 1);
  if (count > 1) check.require(judge.consensus, consensusAt);
  if (count === 1 && judge.consensus !== undefined) {
    check.report('contradiction', consensusAt, { message: 'consensus is between several models' });
  }
  const aggregation = judge.consensus?.aggregation;
  if (aggregation === undefined || aggregation === 'unanimous' || judge.mode === undefined) return;
  const isVote = aggregation === 'majority_vote';
  if (isVote === (judge.mode === 'assertion')) return;
  check.report('contradiction', consensusAt.field('aggregation'), {
    message: isVote
      ? 'only assertions can be voted on'
      : 'assertions are voted on: majority_vote or unanimous',
  });
}

function modelsOf(judge: JudgeDraft): string[] {
  const models = judge.models?.filter((model) => model !== undefined) ?? [];
  return judge.model === undefined ? models : [judge.model, ...models];
}
