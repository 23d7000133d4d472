import { expect, test } from '@jest/globals';
import type { Command, Option } from 'commander';
import { createProgram } from './program.js';

const optionsOf = (command: Command): Option[] => [
  ...command.options,
  ...command.commands.flatMap((child) => optionsOf(child)),
];
const parse = ({ parseArg }: Option, text: string): unknown => {
  try {
    return parseArg?.(text, undefined);
  } catch {
    return undefined;
  }
};
const decimals = optionsOf(createProgram(() => undefined)).filter((option) => parse(option, '0.1') === 0.1);

test('every option that takes a decimal takes it without a zero before the point', () => {
  const longs = decimals.map(({ long }) => long);
  expect(longs).toEqual(expect.arrayContaining(['--alpha', '--budget-usd', '--cached-input', '--detect']));
  expect(decimals.map((option) => parse(option, '.1'))).toEqual(decimals.map(() => 0.1));
});

test('a file or a seed is no option that follows it', () => {
  const declared = /^--(junit <file>|seed <text>)$/;
  const texts = optionsOf(createProgram(() => undefined)).filter(({ flags }) => declared.test(flags));
  expect(texts.length).toBeGreaterThan(2);
  expect(texts.map((option) => parse(option, '--quick'))).toEqual(texts.map(() => undefined));
  expect(texts.map((option) => parse(option, 'a--b'))).toEqual(texts.map(() => 'a--b'));
});

test.each(['', '.', '-.1', '0x1', '1e-1', '0,1', 'NaN'])('no option takes "%s" for a decimal', (text) => {
  expect(decimals.filter((option) => parse(option, text) !== undefined)).toEqual([]);
});
