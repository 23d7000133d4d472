// `pnpm -s vectors <file...>`: runs conformance files. Exit 0 all passed, 1 some failed, 2 a file was not understood.
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { closeDrivers, runVector } from './run-vector.js';
import { readVectorFile, VectorFileError } from './vector-file.js';

// A package script runs in the package's folder; the files are named from where it was called.
const calledFrom = process.env.INIT_CWD ?? process.cwd();
const files = process.argv.slice(2).filter((argument) => argument !== '--');
const tally = { passed: 0, failed: 0 };
let isUnderstood = files.length > 0;

if (!isUnderstood) console.error('Name the files to run: pnpm -s vectors <file...>');
for (const file of files) {
  try {
    await runFile(path.resolve(calledFrom, file));
  } catch (error) {
    if (!(error instanceof VectorFileError)) throw error;
    console.error(`error ${error.message}`);
    isUnderstood = false;
  }
}
await closeDrivers();
console.log(`${tally.passed} passed, ${tally.failed} failed`);
process.exitCode = isUnderstood ? Number(tally.failed > 0) : 2;

async function runFile(file: string): Promise<void> {
  const { name, document, vectors } = readVectorFile(file);
  for (const entry of vectors) {
    try {
      await runVector(entry, document);
      tally.passed += 1;
    } catch (error) {
      tally.failed += 1;
      console.log(`FAIL ${name} ${entry.vector.id} (${entry.format.name})\n${indented(textOf(error))}\n`);
    }
  }
}

function textOf(error: unknown): string {
  const isOurs = error instanceof Error && 'matcherResult' in error;
  if (!(error instanceof Error)) return String(error);
  return stripVTControlCharacters(isOurs ? error.message : (error.stack ?? error.message));
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}
