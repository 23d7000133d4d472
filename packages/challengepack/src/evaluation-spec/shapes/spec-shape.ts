import { list } from '../../decode/collections.js';
import { boolean, integer, largeInteger, number } from '../../decode/numbers.js';
import { record } from '../../decode/record.js';
import { optional, required, type Shape, withOptions } from '../../decode/shape.js';
import { oneOf, text } from '../../decode/text.js';
import { keyText } from '../../decode/text-forms.js';
import type { AuthoredCheck, AuthoredSignal, AuthoredSpec } from '../authored.js';
import { COLLECTOR_NAMES, METRIC_TYPES } from '../collectors.js';
import { CHECK_DEFAULTS, SIGNAL_DEFAULTS } from '../defaults.js';
import {
  BEHAVIORAL_SIGNALS,
  CHECK_TYPES,
  JUDGE_MODES,
  type Metric,
  type PriceRow,
  type RuntimeLimits,
} from '../types.js';
import { JUDGE } from './judge-shape.js';
import { SCORECARD } from './scorecard-shape.js';
import { VALIDATOR } from './validator-shape.js';

const METRIC = record<Metric>({
  key: required(keyText(), 'The name of this metric; unique among validators, metrics and judges.'),
  type: required(oneOf(METRIC_TYPES), 'The type of the value, which the collector decides.'),
  collector: required(oneOf(COLLECTOR_NAMES), 'The measured quantity.'),
  unit: optional(text(), 'A label for people.'),
});

const SIGNAL = record<AuthoredSignal>({
  key: required(oneOf(BEHAVIORAL_SIGNALS), 'Which behaviour is scored.'),
  weight: required(number({ min: 0, aboveMin: true }), 'The share of this signal in the panel.'),
  gate: optional(boolean(), 'Whether the panel is 0 when this signal is below its threshold.', {
    default: SIGNAL_DEFAULTS.gate,
  }),
  pass_threshold: optional(number({ min: 0, max: 1 }), 'The threshold of the gate.'),
});

const BEHAVIORAL = record<{ signals: AuthoredSignal[] }>({
  signals: required(list(SIGNAL, { nonEmpty: true }), 'The behaviours scored together.'),
});

const POST_EXECUTION_CHECK = record<AuthoredCheck>({
  key: required(keyText(), 'The name that `file:KEY` refers to.'),
  type: required(oneOf(CHECK_TYPES), 'Whether a file is captured or a directory listed.'),
  path: required(text(), 'The file or directory; relative paths start at the working directory.'),
  recursive: optional(boolean(), 'Whether a listing descends.', { default: CHECK_DEFAULTS.recursive }),
  max_size_bytes: optional(largeInteger({ min: 0 }), 'Bytes kept of the file; 0 means 1 MiB.', {
    default: CHECK_DEFAULTS.max_size_bytes,
  }),
});

const positive = { min: 0, aboveMin: true };

const RUNTIME_LIMITS = record<RuntimeLimits>({
  max_total_tokens: optional(largeInteger(positive), 'Tokens one attempt may use.'),
  max_cost_usd: optional(number(positive), 'US dollars one attempt may cost.'),
  max_duration_ms: optional(largeInteger(positive), 'Milliseconds one attempt may take.'),
  max_iterations: optional(integer({ min: 1, max: 1000 }), 'Model calls one attempt may make.'),
});

const rate = () => number({ min: 0 });

const PRICE_ROW = record<PriceRow>({
  provider_key: required(text(), 'The provider, such as anthropic.'),
  provider_model_id: required(text(), 'The provider’s id of the model; a trailing date may be left out.'),
  input_cost_per_million_tokens: required(rate(), 'US dollars per million input tokens.'),
  output_cost_per_million_tokens: required(rate(), 'US dollars per million output tokens.'),
  cached_input_cost_per_million_tokens: optional(rate(), 'Default: the input rate.'),
  reasoning_cost_per_million_tokens: optional(rate(), 'Default: the output rate.'),
});

const PRICING = record<{ models?: PriceRow[] }>({
  models: optional(list(PRICE_ROW), 'The prices of models.'),
});

/** The block `evaluation_spec`. Unknown keys are errors in it: a misspelt setting would score something else. */
export const EVALUATION_SPEC: Shape<AuthoredSpec> = withOptions(
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
      'The parts of the workspace that are kept for the validators.',
    ),
    runtime_limits: optional(RUNTIME_LIMITS, 'Limits of one attempt.'),
    pricing: optional(PRICING, 'Prices for the cost of models.'),
    scorecard: required(SCORECARD, 'How everything becomes one result.'),
  }),
);
