import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type ZipEntry, zipBytes } from '@agentclash/archives';
import { GRADER_DIRECTORY, HARNESS_COMMAND, usesHarness } from '@agentclash/challengepack';
import type { AttemptSandbox } from '../sandbox/attempt-sandbox.js';

const SOURCES = path.resolve(import.meta.dirname, '../../harness');
const PYTHON = path.join(SOURCES, 'python');
const FOLDER = `${GRADER_DIRECTORY}/.agentclash`;
const EXECUTABLE = 0o555;
const READABLE = 0o444;

interface HarnessFile {
  path: string;
  content: string | Uint8Array;
  mode: number;
}

let loaded: Promise<HarnessFile[]> | undefined;

/** The harness as it lies in a verifier sandbox: the judge of Python is one archive, which `python3` runs. */
async function harnessFiles(): Promise<HarnessFile[]> {
  const archive: Uint8Array[] = [];
  for await (const chunk of zipBytes(pythonSources())) archive.push(chunk);
  const command = readFileSync(path.join(SOURCES, 'bin', HARNESS_COMMAND));
  return [
    { path: `bin/${HARNESS_COMMAND}`, content: command, mode: EXECUTABLE },
    { path: 'grade.pyz', content: Buffer.concat(archive), mode: READABLE },
  ];
}

/** The parts that run in Node, Go and Rust lie beside those of Python, which place them. */
async function* pythonSources(): AsyncGenerator<ZipEntry> {
  const names = readdirSync(PYTHON, { recursive: true, encoding: 'utf8' });
  for (const name of names.filter((each) => /\.(?:py|mjs|go|rs)$/.test(each)).sort()) {
    yield { name, content: readFileSync(path.join(PYTHON, name), 'utf8') };
  }
}

/** Places the harness for a command that runs it; returns the words to execute. */
export async function withHarness(
  command: string,
  { sandbox, roots }: { sandbox: Pick<AttemptSandbox, 'writeFile'>; roots: readonly string[] },
): Promise<string[]> {
  if (!usesHarness(command)) return ['sh', '-lc', command];
  loaded ??= harnessFiles();
  for (const { path: name, content, mode } of await loaded) {
    await sandbox.writeFile(`${FOLDER}/${name}`, content, { roots, mode });
  }
  const inPath = `PATH=${FOLDER}/bin:$PATH; export PATH; ${command}`;
  // No profile is read: that of a home directory may be the agent's.
  return ['sh', '-c', inPath];
}
