// `pnpm recordings`: adds to the recordings of a release what services said while their tests ran, as noted in the folder
// it is given.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { heardIn } from './hearing.js';
import { record } from './recordings.js';

const [notesFolder, release] = process.argv.slice(2);
if (notesFolder === undefined || release === undefined) throw new Error('usage: write.ts <notes> <release>');

const notes = readdirSync(notesFolder).map((file) => readFileSync(path.join(notesFolder, file), 'utf8'));
const missing = record(release, heardIn(notes));
process.stdout.write(
  missing.length > 0 ? `never heard: ${missing.join(', ')}\n` : `every message is recorded for ${release}\n`,
);
