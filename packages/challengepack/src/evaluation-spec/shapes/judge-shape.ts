import { list } from '../../decode/collections.js';
import { freeMap } from '../../decode/free.js';
import { boolean, integer, largeInteger, number } from '../../decode/numbers.js';
import { record } from '../../decode/record.js';
import { optional, required } from '../../decode/shape.js';
import { oneOf, text } from '../../decode/text.js';
import { keyText } from '../../decode/text-forms.js';
import type { AuthoredJudge } from '../authored.js';
import { CONSENSUS_DEFAULTS, JUDGE_DEFAULTS } from '../defaults.js';
import { AGGREGATIONS, JUDGE_KINDS } from '../types.js';

const { min, max } = JUDGE_DEFAULTS.score_scale;

const SCORE_SCALE = record<NonNullable<AuthoredJudge['score_scale']>>({
  min: optional(number(), 'The score for the worst.', { default: min }),
  max: optional(number(), 'The score for the best.', { default: max }),
});

const CONSENSUS = record<NonNullable<AuthoredJudge['consensus']>>({
  aggregation: required(oneOf(AGGREGATIONS), 'How the scores of several models become one.'),
  min_agreement_threshold: optional(
    number({ min: 0, max: 1 }),
    'The spread between models above which confidence is low.',
    { default: CONSENSUS_DEFAULTS.min_agreement_threshold },
  ),
  flag_on_disagreement: optional(boolean(), 'Whether such a spread is a warning.', {
    default: CONSENSUS_DEFAULTS.flag_on_disagreement,
  }),
});

/** Instructions reach the model as they are written. */
const instruction = () => text({ verbatim: true });

export const JUDGE = record<AuthoredJudge>({
  key: required(keyText(), 'The name of this judge; unique among validators, metrics and judges.'),
  mode: required(oneOf(JUDGE_KINDS), 'The task of the judge.'),
  model: optional(text(), 'The judging model, or alias:NAME.'),
  models: optional(list(text()), 'Several judging models, whose scores `consensus` joins.'),
  samples: optional(integer({ min: 0, max: 10 }), 'Replies requested from each model; 0 means the default.', {
    default: JUDGE_DEFAULTS.samples,
  }),
  temperature: optional(number({ min: 0, max: 2 }), 'The temperature of the judging model.', {
    default: JUDGE_DEFAULTS.temperature,
  }),
  context_from: optional(list(text()), 'References to the texts the judge reads.', {
    default: JUDGE_DEFAULTS.context_from,
  }),
  reference_from: optional(text(), 'Reference to the text that mode `reference` compares with.'),
  rubric: optional(instruction(), 'The criteria of the score.'),
  assertion: optional(instruction(), 'The assertion about the output.'),
  expect: optional(boolean(), 'The verdict on the assertion that scores 1.', {
    default: JUDGE_DEFAULTS.expect,
  }),
  prompt: optional(instruction(), 'By what the outputs are ranked.'),
  score_scale: optional(SCORE_SCALE, 'The ends of the scale.'),
  output_schema: optional(freeMap(), 'The JSON Schema that a reply must meet.'),
  position_debiasing: optional(boolean(), 'Whether rankings are requested in opposite orders.', {
    default: JUDGE_DEFAULTS.position_debiasing,
  }),
  consensus: optional(CONSENSUS, 'How several models agree.'),
  anti_gaming_clauses: optional(list(instruction()), 'Further warnings to the judge.'),
  timeout_ms: optional(largeInteger({ min: 1 }), 'How long one reply may take, in milliseconds.', {
    default: JUDGE_DEFAULTS.timeout_ms,
  }),
});
