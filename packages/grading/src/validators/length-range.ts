import { countCodePoints, splitWords, type ValidatorConfigs } from '@agentclash/challengepack';
import { passIf } from './judgement.js';
import { textValidator } from './text-target.js';

type Unit = ValidatorConfigs['length_range']['unit'];

const LENGTHS: { readonly [U in Unit]: (text: string) => number } = {
  characters: countCodePoints,
  words: (text) => splitWords(text).length,
  lines: (text) => (text.endsWith('\n') ? 0 : 1) + (text.match(/\n/g)?.length ?? 0),
};

export const lengthRange = textValidator<'length_range'>(
  (actual, { config: { unit, min = 0, max = Number.POSITIVE_INFINITY } }) => {
    const length = LENGTHS[unit](actual);
    return passIf(min <= length && length <= max, 'out_of_range');
  },
  { takesEmpty: ({ config }) => config.min === 0 },
);
