import { collapseWhiteSpace, jsonEquals, readJson, type ValidatorConfigs } from '@agentclash/challengepack';
import { fail, type Judgement, passIf } from './judgement.js';
import { textValidator } from './text-target.js';

type Mode = ValidatorConfigs['file_content_match']['match_mode'];
type TextMode = Exclude<Mode, 'regex' | 'json_equal'>;

const TEXT_MODES: { readonly [M in TextMode]: (actual: string, expected: string) => Judgement } = {
  contains: (actual, expected) => passIf(actual.includes(expected), 'not_found'),
  exact: (actual, expected) => passIf(actual === expected, 'not_equal'),
  not_contains: (actual, expected) => passIf(!actual.includes(expected), 'forbidden_found'),
};
const FINAL: ReadonlySet<Mode> = new Set(['contains', 'regex']);

export const fileContentMatch = textValidator<'file_content_match'>(
  (actual, { expected, config: { match_mode, ignore_whitespace } }) => {
    if (expected.kind === 'regex') return passIf(expected.regex.test(actual), 'not_found');
    if (expected.kind === 'json') return judgeJson(actual, expected.value);
    const seen = (text: string) => (ignore_whitespace ? collapseWhiteSpace(text) : text);
    return textMode(match_mode)(seen(actual), seen(expected.text));
  },
  { isPassFinal: ({ config }) => FINAL.has(config.match_mode) },
);

/** Deep equality of a text's JSON value with the wanted one. */
export function judgeJson(actual: string, wanted: unknown): Judgement {
  const reading = readJson(actual);
  return reading.ok ? passIf(jsonEquals(reading.value, wanted), 'not_equal') : fail('unparsable_output');
}

function textMode(mode: Mode): (actual: string, expected: string) => Judgement {
  return mode === 'regex' || mode === 'json_equal' ? TEXT_MODES.exact : TEXT_MODES[mode];
}
