import { readJson } from '@agentclash/challengepack';
import { fail, passIf } from './judgement.js';
import { textValidator } from './text-target.js';

/** Also judges captured files, whose schema stands in the config. */
export const jsonSchema = textValidator<'json_schema' | 'file_json_schema'>((actual, { expected: obeys }) => {
  const reading = readJson(actual);
  return reading.ok ? passIf(obeys(reading.value), 'schema_violation') : fail('unparsable_output');
});
