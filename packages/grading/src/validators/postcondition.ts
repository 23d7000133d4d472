import { readJson } from '@agentclash/challengepack';
import { judgeJson } from './file-content-match.js';
import { judgeExistence } from './file-exists.js';
import { captureOrListingOf } from './file-target.js';
import { judgeNodes } from './json-path-nodes.js';
import { type Finding, fail, type Judgement, passIf } from './judgement.js';
import type { PostconditionCheck } from './postcondition-check.js';
import { notCollected, textValidator } from './text-target.js';
import type { ValidatorInput } from './validator.js';

type ContentCheck = Exclude<PostconditionCheck, { condition: 'exists' | 'not_exists' }>;

const FINAL: ReadonlySet<PostconditionCheck['condition']> = new Set(['contains', 'regex_match']);

export function postcondition(input: ValidatorInput<'postcondition'>): Finding {
  const { condition } = input.expected;
  if (condition !== 'exists' && condition !== 'not_exists') return judgeFile(input);
  const found = captureOrListingOf(input);
  if (found === undefined) return notCollected(input.evidence);
  return { ...judgeExistence(found.evidence.exists, condition === 'exists'), pointer: found.pointer };
}

const judgeFile = textValidator<'postcondition'>(
  (actual, { expected }) =>
    isContentCheck(expected) ? judgeContent(actual, expected) : fail('file_missing'),
  { isPassFinal: ({ expected }) => FINAL.has(expected.condition) },
);

function judgeContent(actual: string, check: ContentCheck): Judgement {
  switch (check.condition) {
    case 'contains':
      return passIf(actual.includes(check.value), 'not_found');
    case 'not_contains':
      return passIf(!actual.includes(check.value), 'forbidden_found');
    case 'regex_match':
      return passIf(check.regex.test(actual), 'not_found');
    case 'equals':
      return typeof check.value === 'string'
        ? passIf(actual === check.value, 'not_equal')
        : judgeJson(actual, check.value);
    case 'json_path_match': {
      const reading = readJson(actual);
      return reading.ok ? judgeNodes(reading.value, check.assertion) : fail('unparsable_output');
    }
  }
}

function isContentCheck(check: PostconditionCheck): check is ContentCheck {
  return check.condition !== 'exists' && check.condition !== 'not_exists';
}
