import { readJson } from '@agentclash/challengepack';
import { judgeNodes } from './json-path-nodes.js';
import { fail } from './judgement.js';
import { textValidator } from './text-target.js';

export const jsonPathMatch = textValidator<'json_path_match'>((actual, { expected }) => {
  const reading = readJson(actual);
  return reading.ok ? judgeNodes(reading.value, expected) : fail('unparsable_output');
});
