import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Message } from '../../message.js';
import { wireInput } from './catalogue.js';
import { breaksBetween, type Shape, shapeOf } from './shape.js';

/** A file for each release, with its messages sorted by subject. */
const RECORDINGS = path.resolve(import.meta.dirname, '../../../recordings');

/** Deliberate changes: a receiver of the release refuses the message with an error that names the member. */
export const REFUSED_BY_OLDER: Readonly<Record<string, readonly string[]>> = {
  // A program may have a preset in the place of a command.
  'rpc.deployments.v1.create': ['spec<kind=program>.config.command may be absent now'],
  'rpc.deployments.v1.update': ['spec<kind=program>.config.command may be absent now'],
};

/** Messages of a release. */
export interface Recording {
  subject: string;
  /** Its contract in that release. */
  shape: { input: Shape; output?: Shape };
  inputs: unknown[];
  /** Replies, for a request. */
  outputs?: unknown[];
}

/** The observed contents of one message. */
export interface Observed {
  inputs: unknown[];
  outputs: unknown[];
}

/** Oldest first. */
export function releases(): string[] {
  const byVersion = new Intl.Collator('en', { numeric: true });
  return readdirSync(RECORDINGS)
    .map((file) => path.basename(file, '.json'))
    .sort(byVersion.compare);
}

export function recordingsOf(release: string, folder = RECORDINGS): Recording[] {
  const file = fileOf(release, folder);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
}

/**
 * Adds observed messages to the recordings of a release. Existing recordings stay, so that a part of the messages may be
 * recorded alone. Returns the messages without a recording; fails when the contract is incompatible with the release.
 */
export function record(
  release: string,
  observed: ReadonlyMap<Message, Observed>,
  folder = RECORDINGS,
): string[] {
  const known = new Map(recordingsOf(release, folder).map((recording) => [recording.subject, recording]));
  const broken = [...observed.keys()].flatMap((message) => {
    const recording = known.get(message.subject);
    const deliberate = REFUSED_BY_OLDER[message.subject] ?? [];
    const breaks = recording ? breaksSince(recording, message) : [];
    return breaks
      .filter((change) => !deliberate.includes(change))
      .map((change) => `${message.subject}: ${change}`);
  });
  if (broken.length > 0) {
    throw new Error(
      `Stay compatible with messages of ${release}, or add a v2 beside them:\n${broken.join('\n')}`,
    );
  }
  const missing: string[] = [];
  for (const [message, contents] of observed) {
    // The recording shows what the release accepts.
    if (message.subject in REFUSED_BY_OLDER && known.has(message.subject)) continue;
    const recording = recordingOf(message, contents, known.get(message.subject));
    if (recording.inputs.length === 0) missing.push(message.subject);
    else known.set(message.subject, recording);
  }
  const sorted = [...known.values()].sort((a, b) => (a.subject < b.subject ? -1 : 1));
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileOf(release, folder), `${JSON.stringify(sorted, null, 2)}\n`);
  return missing;
}

function fileOf(release: string, folder: string): string {
  return path.join(folder, `${release}.json`);
}

/** The recording of a release, with observed samples that show more of the message. */
function recordingOf(message: Message, observed: Observed, known: Recording | undefined): Recording {
  const { subject } = message;
  const outputs =
    message.kind === 'rpc' ? { outputs: samplesOf(observed.outputs, known?.outputs ?? []) } : undefined;
  return {
    subject,
    shape: shapesOf(message),
    inputs: samplesOf(observed.inputs, known?.inputs ?? []),
    ...outputs,
  };
}

/** The incompatible changes of a message since it was recorded. */
export function breaksSince({ shape }: Recording, message: Message): string[] {
  const now = shapesOf(message);
  return [
    ...breaksBetween(shape.input, now.input),
    ...breaksBetween(shape.output ?? {}, now.output ?? {}).map((change) => `reply: ${change}`),
  ];
}

function shapesOf(message: Message): Recording['shape'] {
  const output = message.kind === 'rpc' ? { output: shapeOf(message.output) } : undefined;
  return { input: shapeOf(wireInput(message)), ...output };
}

/** The most samples of one message. */
const SAMPLES_MAX = 3;
const SAMPLE_CHARACTERS_MAX = 6_000;

/**
 * A few values that together have the members of all of them, as far as the limit allows; short ones first. `kept`
 * values precede them, and their members are covered already.
 */
export function samplesOf(values: readonly unknown[], kept: readonly unknown[] = []): unknown[] {
  const known = [...new Map(values.map((value) => [JSON.stringify(value), value]))]
    .filter(([text]) => text.length <= SAMPLE_CHARACTERS_MAX)
    .sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1))
    .map(([, value]) => ({ value, members: membersOf(value) }));
  const seen = new Set(kept.flatMap((value) => membersOf(value)));
  const chosen: unknown[] = [];
  while (chosen.length < SAMPLES_MAX) {
    const gains = known.map(({ members }) => members.filter((member) => !seen.has(member)).length);
    const best = gains.indexOf(Math.max(0, ...gains));
    const sample = known[best];
    if (!sample || (gains[best] === 0 && kept.length + chosen.length > 0)) break;
    chosen.push(sample.value);
    for (const member of sample.members) seen.add(member);
  }
  return [...kept, ...chosen];
}

/** Paths with the kind of what is there; members of a list are one. */
function membersOf(value: unknown, at = ''): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap((item) => membersOf(item, `${at}[]`)))];
  if (value === null || typeof value !== 'object')
    return [`${at}: ${value === null ? 'null' : typeof value}`];
  return [at, ...Object.entries(value).flatMap(([name, member]) => membersOf(member, `${at}.${name}`))];
}
