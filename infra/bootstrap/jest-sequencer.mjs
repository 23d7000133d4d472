// Orders the test files of a run: the slowest first, so that no worker begins a long one when the others are done.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import TestSequencer from '@jest/test-sequencer';
import { repository } from './setup/repository.mjs';

/** Seconds of the files that take long; `npm test -- --record` writes them. */
const recorded = JSON.parse(readFileSync(new URL('./test-durations.json', import.meta.url), 'utf8'));
const SHORT_SECONDS = 1;

export default class SlowestFirst extends TestSequencer {
  /** Milliseconds: of an earlier run on this machine, else as recorded, else short. */
  time(test) {
    const file = path.relative(repository, test.path).split(path.sep).join('/');
    return super.time(test) ?? (recorded[file] ?? SHORT_SECONDS) * 1_000;
  }
}
