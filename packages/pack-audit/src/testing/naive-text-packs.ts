import type { NaivePack } from './naive-document.js';

type Validator = Readonly<Record<string, unknown>>;

const OUTPUT = { key: 'reply', target: 'final_output' };
const literal = (type: string, text: string): Validator => ({
  ...OUTPUT,
  type,
  expected_from: `literal:${text}`,
});
const question = (instructions: string, ...validators: Validator[]): NaivePack => ({
  ...{ mode: 'prompt_eval', instructions, validators },
});
/** Two cases with the same right reply. */
const constant = (type: string, text: string): NaivePack => ({
  ...question('Is it so? Decide for this number.', literal(type, text)),
  cases: 2,
});

const TOOLS = [
  {
    name: 'refund_order',
    parameters: {
      type: 'object',
      properties: { order_id: { type: 'string' }, reason: { type: 'string', enum: ['late', 'broken'] } },
      required: ['order_id'],
    },
    implementation: { type: 'mock', strategy: 'static', response: { status: 'refunded' } },
  },
  {
    name: 'find_order',
    parameters: { type: 'object', properties: { order_id: { type: 'string' }, limit: { type: 'integer' } } },
    implementation: { type: 'mock', strategy: 'static', response: { order: 'late' } },
  },
];
const orders = (...validators: Validator[]): NaivePack => ({
  instructions: 'The order ORD-1001 has come late. Refund it if the rules allow that.',
  ...{ validators, tools: TOOLS },
});
const calls = (config: Validator): Validator => ({
  ...{ key: 'calls', type: 'tool_call_assertion', target: 'tool_calls', config },
});

/** Graders that look for something in a text, or take any call for the right one. */
export const TEXT_PACKS: Readonly<Record<string, NaivePack>> = {
  long_text: question('Describe, in your own words and at length, how a steam engine works.', {
    ...OUTPUT,
    ...{ type: 'length_range', config: { unit: 'words', min: 30 } },
  }),
  word_on_a_line: question(
    'Which of apple, granite and pear is a mineral?',
    literal('regex_match', '(?m)^granite$'),
  ),
  list_with_word: question(
    'Which of apple, granite and pear are minerals? Reply with a JSON list.',
    literal('json_path_match', '{"path":"$","comparator":"contains","value":"granite"}'),
  ),
  option: question('Which option is right?', literal('contains', 'Answer: C')),
  number: question('How many?', literal('regex_match', '\\b42\\b')),
  capital: question('What is the capital of Australia?', literal('contains', 'Canberra')),
  letter: question('Which letter comes after P?', literal('contains', 'Q')),
  date_form: question('On which day was it?', literal('regex_match', '\\d{4}-\\d{2}-\\d{2}')),
  forbidden_words: question(
    'Describe the password policy without writing the word password.',
    { ...literal('not_contains', 'password'), key: 'forbidden' },
    { ...OUTPUT, type: 'length_range', config: { unit: 'words', min: 5 } },
  ),
  blank: constant('regex_match', '^\\s+$'),
  ...Object.fromEntries(
    ['yes', 'no', 'true', 'false', 'A', 'B', 'C', 'D', '0', '1'].map((text) => [
      `always_${text}`,
      constant('exact_match', text),
    ]),
  ),
  any_object: constant('json_schema', '{"type":"object"}'),
  any_list: constant('json_schema', '{"type":"array"}'),
  any_json: constant('json_schema', '{"type":["null","string"]}'),
  admits_ignorance: constant('regex_match', '(?i)cannot determine'),
  own_score: question(
    'Summarise the text, and rate yourself from 1 to 5.',
    literal('regex_match', 'Score: [45]/5'),
  ),
  own_score_in_json: question(
    'Summarise the text, and rate yourself from 1 to 5, as JSON with a score.',
    literal('json_path_match', '{"path":"$.score","comparator":"greater_than","value":4}'),
  ),
  verdict_in_text: question('Summarise the text.', literal('contains', '"pass": true')),
  claims: question(
    'Make all tests pass.',
    literal('regex_match', '(?i)all tests pass,.*completed successfully'),
  ),
  any_call: orders(calls({ tool_name: 'refund_order', must_call: true })),
  call_with_order: orders(
    calls({ tool_name: 'refund_order', must_call: true, arguments_contain: { order_id: 'ORD-1001' } }),
  ),
  calls_in_order: orders(calls({ ordered_tools: ['find_order', 'refund_order'], order_mode: 'subsequence' })),
  claimed_refund: orders(literal('regex_match', 'refund_order.*succeeded')),
  claimed_event: orders(literal('regex_match', 'tool\\.call\\.completed.*refund_order')),
};
