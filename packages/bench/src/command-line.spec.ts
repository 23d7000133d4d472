import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { checkWritable, readCommandLine, usageOf } from './command-line.js';
import { shapeOf } from './measurement/volume.js';

const KNOWN = { sets: ['attempts', 'reads'], data: 'tasks.jsonl.gz' };

test('all sets are measured when no name is given', () => {
  expect(readCommandLine(['--quick'], KNOWN)).toEqual({
    isHelp: false,
    names: KNOWN.sets,
    options: { data: path.resolve('tasks.jsonl.gz'), isQuick: true },
    json: undefined,
  });
});

test('sets, workloads and volume are those named', () => {
  const line = readCommandLine(['attempts', '--only', 'native,verified', '--attempts', '200'], KNOWN);
  expect(line).toMatchObject({
    names: ['attempts'],
    options: { only: ['native', 'verified'], attempts: 200, isQuick: false },
  });
});

test.each([
  [['bogus'], '"bogus" is none of the sets: attempts, reads.'],
  [['attempts', '--only', 'bogus'], '"bogus" is none of the keys of --only: prompt_eval, native, verified.'],
  [
    ['--attempts', '-1'],
    '--attempts needs a value that does not begin with a dash. --help lists the options.',
  ],
  [['--json'], '--json needs a value that does not begin with a dash. --help lists the options.'],
  [['--attempts=-1'], '--attempts must be a positive integer, not -1.'],
  [['--slow'], 'There is no option --slow. --help lists the options.'],
])('the command line %j is refused with its own message', (words, message) => {
  expect(() => readCommandLine(words, KNOWN)).toThrow(new Error(message));
});

test('help names every set and every workload', () => {
  expect(readCommandLine(['-h'], KNOWN).isHelp).toBe(true);
  expect(usageOf(KNOWN.sets)).toContain('attempts, reads');
  expect(usageOf(KNOWN.sets)).toContain('prompt_eval, native, verified');
});

test('a file that cannot be written is reported before the start, and an existing file keeps its contents', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'agentclash-bench-'));
  try {
    const file = path.join(folder, 'figures.json');
    writeFileSync(file, '{}');
    checkWritable(file);
    expect(readFileSync(file, 'utf8')).toBe('{}');
    expect(() => checkWritable(path.join(folder, 'none/figures.json'))).toThrow('--json cannot be written');
    expect(() => checkWritable(folder)).toThrow('--json cannot be written');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.each([
  [200, 5_000, 25],
  [200, 10, 1],
  [500, 50_000, 100],
  [500, 1_000_000, 100],
])(
  '%d cases make %d attempts in %d repetitions, as far as a run may repeat them',
  (cases, attempts, repetitions) => {
    expect(shapeOf(cases, attempts)).toEqual({ cases, repetitions });
  },
);
