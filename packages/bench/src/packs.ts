import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { repository } from '@agentclash/e2e';
import type { ReadingFigures } from './measurement/read-repeatedly.js';
import type { Figure } from './measurement/report.js';
import type { Volume } from './measurement/volume.js';

const run = promisify(execFile);
const CLI = path.join(repository, 'apps/cli/bin/agentclash.js');
const KB = 1000;
const MB = 1_000_000;
const WHOLE = { tries: 7, files: 200 };
const QUICK = { tries: 1, files: 2 };
const VALIDATE_SECONDS = 0.35;

/** Reads packs of two sizes, and validates one file and many with the command. */
export async function benchPacks({ isQuick = false }: Volume = {}): Promise<Figure[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'agentclash-bench-'));
  try {
    return [...(await readingFigures(folder)), ...(await commandFigures(folder, isQuick ? QUICK : WHOLE))];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function readingFigures(folder: string): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [key, bytes] of [
    ['10kb', 10 * KB],
    ['1mb', MB],
  ] as const) {
    const file = path.join(folder, `${key}.yaml`);
    writeFileSync(file, packOfBytes(bytes));
    const { documents, seconds, peakMib } = await readRepeatedly(file);
    const rate = documents / seconds;
    const name = `reading a pack of ${bytes / KB} kB`;
    figures.push(
      { key: `${key}_documents_per_second`, name, value: rate, unit: '1/s' },
      { key: `${key}_mb_per_second`, name, value: (rate * bytes) / MB, unit: 'MB/s' },
      { key: `${key}_peak_mib`, name: `${name}: peak memory of the process`, value: peakMib, unit: 'MiB' },
    );
  }
  return figures;
}

/** In a process of its own, so that its memory is that of reading. */
async function readRepeatedly(file: string): Promise<ReadingFigures> {
  const child = fork(path.join(import.meta.dirname, 'measurement/read-repeatedly.js'), [file]);
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`reading ${file} ended with exit code ${code}`);
  });
  const [figures] = (await Promise.race([once(child, 'message'), exited])) as [ReadingFigures];
  return figures;
}

async function commandFigures(folder: string, { tries, files: many }: typeof WHOLE): Promise<Figure[]> {
  const files = Array.from({ length: many }, (_, index) => {
    const file = path.join(folder, `pack-${index}.yaml`);
    writeFileSync(file, packOfBytes(10 * KB));
    return file;
  });
  const one = await medianSeconds(() => validate(files.slice(0, 1)), tries);
  const all = await medianSeconds(() => validate(files), 1);
  return [
    {
      key: 'validate_one_seconds',
      name: 'agentclash challenge-pack validate, one file of 10 kB',
      value: one,
      unit: 's',
      target: VALIDATE_SECONDS,
    },
    {
      key: 'validate_many_seconds',
      name: `agentclash challenge-pack validate, ${many} such files`,
      value: all,
      unit: 's',
    },
  ];
}

async function validate(files: string[]): Promise<void> {
  await run(process.execPath, [CLI, 'challenge-pack', 'validate', ...files], { maxBuffer: 64 * MB });
}

async function medianSeconds(work: () => Promise<void>, tries: number): Promise<number> {
  const seconds: number[] = [];
  for (let turn = 0; turn < tries; turn += 1) {
    const started = performance.now();
    await work();
    seconds.push((performance.now() - started) / 1000);
  }
  return seconds.sort((left, right) => left - right)[Math.floor(tries / 2)] ?? Number.NaN;
}

const HEAD = `pack: {slug: measured, name: Measured, family: bench}
version:
  number: 1
  execution_mode: prompt_eval
  evaluation_spec:
    name: measured
    version_number: 1
    judge_mode: deterministic
    validators:
      - {key: exact, type: exact_match, target: final_output, expected_from: case.expectations.city}
    scorecard: {dimensions: [correctness], pass_threshold: 1}
challenges:
  - key: capital
    title: Name the capital
    category: geography
    difficulty: easy
    instructions: Reply with the capital of {{country}} and nothing else.
input_sets:
  - key: default
    name: Default
    cases:
`;

/** A valid pack of many small cases, as people write it, of nearly this many bytes and no more. */
export function packOfBytes(bytes: number): string {
  const parts = [HEAD];
  for (let length = HEAD.length, index = 0; ; index += 1) {
    const next = caseOf(index);
    length += next.length;
    if (length > bytes) return parts.join('');
    parts.push(next);
  }
}

function caseOf(index: number): string {
  return `      - challenge_key: capital
        case_key: case-${index}
        payload:
          country: Country number ${index}
          region: north-west
        expectations:
          - {key: city, kind: text, value: "City ${index}"}
`;
}
