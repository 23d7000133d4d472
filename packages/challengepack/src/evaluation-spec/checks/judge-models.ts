import type { FieldPath } from '../../decode/field-path.js';
import type { JudgeDraft, SpecDraft } from '../authored.js';
import { modelAlias, providerOfModel } from '../providers.js';
import { eachEntry, type SpecCheck } from './spec-check.js';

/** Every model that judges. */
export function judgeModels(spec: SpecDraft): string[] {
  return (spec.llm_judges ?? []).flatMap((judge) => (judge ? modelsOf(judge) : []));
}

/** A judge has either one model or a list, each of a known provider. */
export function checkJudgeModels(check: SpecCheck, judge: JudgeDraft, at: FieldPath): void {
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
