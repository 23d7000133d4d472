// Run as a process: reads the pack in the given file repeatedly, and sends its parent the rate.
import { readFileSync } from 'node:fs';
import { readPack } from '@agentclash/challengepack';

export interface ReadingFigures {
  documents: number;
  seconds: number;
  /** The most memory the process ever held. */
  peakMib: number;
}

const WARM_UP_MS = 500;
const MEASURED_MS = 3000;

const [file = ''] = process.argv.slice(2);
const source = readFileSync(file);
readFor(WARM_UP_MS);
const figures: ReadingFigures = { ...readFor(MEASURED_MS), peakMib: process.resourceUsage().maxRSS / 1024 };
process.send?.(figures);

function readFor(milliseconds: number): { documents: number; seconds: number } {
  const started = performance.now();
  let documents = 0;
  let elapsed = 0;
  while (elapsed < milliseconds) {
    if (!readPack(source).valid) throw new Error(`${file} is not valid`);
    documents += 1;
    elapsed = performance.now() - started;
  }
  return { documents, seconds: elapsed / 1000 };
}
