import { list } from '../../decode/collections.js';
import { integer } from '../../decode/numbers.js';
import { record } from '../../decode/record.js';
import { inManner, optional, required, type Shape } from '../../decode/shape.js';
import { oneOf, text } from '../../decode/text.js';
import type { AuthoredSpec } from '../authored.js';
import { JUDGE_MODES } from '../types.js';
import { BEHAVIORAL, METRIC, POST_EXECUTION_CHECK, PRICING, RUNTIME_LIMITS } from './evidence-shapes.js';
import { JUDGE } from './judge-shape.js';
import { SCORECARD } from './scorecard-shape.js';
import { VALIDATOR } from './validator-shape.js';

/** The block `evaluation_spec`. Unknown keys are errors in it: a misspelt setting would score something else. */
export const EVALUATION_SPEC: Shape<AuthoredSpec> = inManner(
  { unknownKeys: 'error' },
  record<AuthoredSpec>({
    name: required(text(), 'The name of this scoring contract.'),
    version_number: required(integer({ min: 1 }), 'Its version, from 1.'),
    judge_mode: required(oneOf(JUDGE_MODES), 'Whether validators, model judges or both score.'),
    validators: optional(list(VALIDATOR), 'Checks whose verdict follows from the evidence alone.'),
    metrics: optional(list(METRIC), 'Raw values measured on every attempt.'),
    behavioral: optional(BEHAVIORAL, 'How the agent behaved, measured by its tool calls.'),
    llm_judges: optional(list(JUDGE), 'Models that judge.'),
    post_execution_checks: optional(
      list(POST_EXECUTION_CHECK),
      'What is kept of the workspace for the validators.',
    ),
    runtime_limits: optional(RUNTIME_LIMITS, 'Limits of one attempt.'),
    pricing: optional(PRICING, 'Prices for the cost of models.'),
    scorecard: required(SCORECARD, 'How everything becomes one result.'),
  }),
);
