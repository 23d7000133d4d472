import { ACTORS, type Actor, HUMAN_TIMEOUT_EFFECTS } from '@agentclash/domain';
import { list } from '../decode/collections.js';
import { any } from '../decode/free.js';
import { boolean, integer, largeInteger, number } from '../decode/numbers.js';
import { record } from '../decode/record.js';
import { type Applies, optional, required, type Shape } from '../decode/shape.js';
import { oneOf, TEXT_TYPES, text } from '../decode/text.js';
import { keyText } from '../decode/text-forms.js';
import { isJsonObject, type JsonObject } from '../json.js';
import {
  type Calibration,
  type Expectation,
  type Phase,
  type PhaseGate,
  type PostRun,
  TRIGGERS,
  type Turn,
  type UserSimulator,
} from '../pack/model.js';

export const EXPECTATIONS = list(
  record<Expectation>({
    key: required(keyText(), 'The name by which references find the expectation.'),
    kind: required(text(), 'The kind of the expectation.'),
    value: optional(any(), 'The expected value.'),
    artifact_key: optional(text(), 'The asset that holds the expected value.'),
    path: optional(text(), 'Not implemented: give the member of an archive as an asset of its own.'),
    source: optional(text(), 'Where the expected value is found: input:KEY or artifact:KEY.'),
  }),
  { unique: 'key' },
);

const TURN = record<Turn>({
  message: required(text(), 'The message of the user; {{name}} is replaced by a value of the case.'),
  expects: optional(EXPECTATIONS, 'Expectations about the reply to this turn.'),
});

function of(actor: Actor): Applies {
  return ({ draft }) => {
    if (draft.actor === undefined) return 'unclear';
    return draft.actor === actor ? 'yes' : 'no';
  };
}

const GATE = record<PhaseGate>({
  validator: required(
    keyText(),
    'The code_execution that runs when the phase has ended, on a copy of the workspace, with AGENTCLASH_PHASE set to its id.',
  ),
  min_score: optional(
    number({ min: 0, max: 1 }),
    'The score from which the gate is passed. Absent: any score passes.',
  ),
});

const PHASE = record<Phase>({
  id: required(text(), 'The name of the phase.'),
  actor: required(oneOf(ACTORS), 'Who plays the user in this phase.'),
  trigger: optional(
    oneOf(TRIGGERS),
    'When the phase is entered. The first phase is always entered; a later one needs a trigger, which must not be always.',
  ),
  gate: optional(
    GATE,
    'Tests after the phase, which grade it and decide on phases with the trigger on_gate_passed.',
  ),
  turns: required(list(TURN, { nonEmpty: true }), 'Scripted: the turns, in order.', {
    applies: of('scripted'),
  }),
  persona: required(text(), 'LLM: who the model plays.', { applies: of('llm') }),
  max_turns: optional(integer({ min: 0 }), "LLM: the most turns; 0 means the simulator's limit.", {
    applies: of('llm'),
    default: 0,
  }),
  until: optional(
    list(text()),
    'LLM: the phase ends when all of these hold: max_turns, assistant_emitted:TEXT, user_token:TEXT.',
    { applies: of('llm') },
  ),
  model: optional(text(), 'LLM: replaces the model that plays the user.'),
  timeout_ms: optional(
    largeInteger({ min: 0 }),
    'Human: how long to wait, in milliseconds; 0 means 30 minutes.',
    {
      applies: of('human'),
      default: 0,
    },
  ),
  on_timeout: optional(oneOf(HUMAN_TIMEOUT_EFFECTS), 'Human: what happens without a reply.', {
    applies: of('human'),
    default: 'stop',
  }),
});

/** Disabled blocks are not checked beyond types. */
const whenEnabled: Applies = ({ draft }) => (draft.enabled === true ? 'yes' : 'unclear');

const CALIBRATION = record<Calibration>({
  enabled: optional(
    boolean(),
    'Whether people rate a sample of the run agents. Not implemented: true is an error.',
    { default: false },
  ),
  sample_rate: required(
    number({ min: 0, max: 1, aboveMin: true }),
    'The share of run agents that is sampled.',
    {
      applies: whenEnabled,
    },
  ),
});

const POST_RUN = record<PostRun>({
  arena: optional(
    enabledBlock(
      record<NonNullable<PostRun['arena']>>({
        enabled: optional(
          boolean(),
          'Whether lanes are compared after the run. Not implemented: true is an error.',
          { default: false },
        ),
        comparison: optional(oneOf(['pairwise']), 'How lanes are compared.', { default: 'pairwise' }),
      }),
    ),
    'Comparison of the lanes of a case by people.',
  ),
});

export const USER_SIMULATOR = record<UserSimulator>({
  schema_version: required(only(1), 'Always 1.'),
  kind: required(oneOf(['hybrid']), 'Always hybrid.'),
  max_turns: optional(integer({ min: 0 }), 'The most turns of the conversation; 0 means 50.', { default: 0 }),
  phases: required(list(PHASE, { nonEmpty: true, unique: 'id' }), 'The phases, in order.'),
  calibration: optional(enabledBlock(CALIBRATION), 'Sampling of run agents for human rating.'),
  post_run: optional(POST_RUN, 'The steps after the run.'),
});

/** A block that is checked beyond its types only while `enabled` is true. */
function enabledBlock<T extends object>(shape: Shape<T>): Shape<T> {
  return {
    ...shape,
    schema: enabledSchema(shape.schema),
    decode(node, at, decoding) {
      const enabled = node.kind === 'map' ? node.entries.get('enabled')?.value : undefined;
      const isEnabled = enabled?.kind === 'scalar' && enabled.value === true;
      return shape.decode(node, at, isEnabled ? decoding : decoding.in({ typesOnly: true }));
    },
  };
}

function enabledSchema({ properties, ...schema }: JsonObject): JsonObject {
  const fields = Object.entries(isJsonObject(properties) ? properties : {});
  const loose = fields.map(([name, field]) => [name, isJsonObject(field) ? typeOnly(field) : field] as const);
  return {
    ...schema,
    properties: Object.fromEntries(loose),
    if: { properties: { enabled: { const: true } }, required: ['enabled'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: Object.fromEntries(fields) },
  };
}

function typeOnly({ type = TEXT_TYPES, description, default: standard }: JsonObject): JsonObject {
  return {
    type,
    ...(description !== undefined && { description }),
    ...(standard !== undefined && { default: standard }),
  };
}

/** The one integer that is known, else `unknown_value`. */
function only(known: number): Shape<number> {
  const shape = integer();
  return {
    ...shape,
    schema: { const: known },
    decode(node, at, decoding) {
      const value = shape.decode(node, at, decoding);
      if (value !== undefined && value !== known) {
        decoding.report('unknown_value', at, { message: `expected ${known}` });
      }
      return value;
    },
  };
}
