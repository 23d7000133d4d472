import { type NormalizationStep, splitWords, type ValidatorConfigs } from '@agentclash/challengepack';
import { graded } from './judgement.js';
import { normalizeText } from './normalization-steps.js';
import { textValidator } from './text-target.js';

type Config = ValidatorConfigs['token_f1'];

export const tokenF1 = textValidator<'token_f1'>((actual, { expected, config }) => {
  const steps = stepsOf(config);
  const left = splitWords(normalizeText(actual, steps));
  const right = splitWords(normalizeText(expected, steps));
  return graded(f1(left, right), config.threshold);
});

function stepsOf({ normalize, remove_punctuation, remove_articles }: Config): NormalizationStep[] {
  return [
    ...(normalize ? (['trim', 'lowercase', 'collapse_whitespace'] as const) : []),
    ...(remove_punctuation ? (['strip_punctuation'] as const) : []),
    ...(remove_articles ? (['remove_articles'] as const) : []),
  ];
}

function f1(left: readonly string[], right: readonly string[]): number {
  if (left.length + right.length === 0) return 1;
  const unused = new Map<string, number>();
  for (const token of right) unused.set(token, (unused.get(token) ?? 0) + 1);
  let common = 0;
  for (const token of left) {
    const count = unused.get(token) ?? 0;
    if (count === 0) continue;
    common += 1;
    unused.set(token, count - 1);
  }
  return (2 * common) / (left.length + right.length);
}
