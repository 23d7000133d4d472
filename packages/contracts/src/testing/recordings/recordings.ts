import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Message } from '../../message.js';
import { wireInput } from './catalogue.js';
import { samplesOf } from './samples.js';
import { breaksBetween, type Shape, shapeOf } from './shape.js';

/** Below it a folder for each release, and in that a file for each message. */
const RECORDINGS = path.resolve(import.meta.dirname, '../../../recordings');

/** Messages as a release has said them. */
export interface Recording {
  subject: string;
  /** What its contract was. */
  shape: { input: Shape; output?: Shape };
  inputs: unknown[];
  /** Answers, where it is a request. */
  outputs?: unknown[];
}

/** What was heard of one message. */
export interface Heard {
  inputs: unknown[];
  outputs: unknown[];
}

/** Oldest first. */
export function releases(): string[] {
  const byVersion = new Intl.Collator('en', { numeric: true });
  return readdirSync(RECORDINGS).sort(byVersion.compare);
}

export function recordingsOf(release: string, folder = RECORDINGS): Recording[] {
  const ofRelease = path.join(folder, release);
  if (!existsSync(ofRelease)) return [];
  return readdirSync(ofRelease)
    .sort()
    .map((file) => JSON.parse(readFileSync(path.join(ofRelease, file), 'utf8')) as Recording);
}

/**
 * Adds to the recordings of a release what was heard. What is recorded stays, so that a part of what services say may be
 * recorded by itself. Answers the messages that nobody has said yet; fails when the release would be misunderstood.
 */
export function record(release: string, heard: ReadonlyMap<Message, Heard>, folder = RECORDINGS): string[] {
  const known = new Map(recordingsOf(release, folder).map((recording) => [recording.subject, recording]));
  const broken = [...heard.keys()].flatMap((message) => {
    const recording = known.get(message.subject);
    return recording ? breaksSince(recording, message).map((fault) => `${message.subject}: ${fault}`) : [];
  });
  if (broken.length > 0) {
    throw new Error(`Keep what ${release} says readable, or add a v2 beside it:\n${broken.join('\n')}`);
  }
  return [...heard].flatMap(([message, said]) => {
    const recording = recordingOf(message, said, known.get(message.subject));
    if (recording.inputs.length === 0) return [message.subject];
    writeRecording(release, recording, folder);
    return [];
  });
}

function writeRecording(release: string, recording: Recording, folder: string): void {
  const ofRelease = path.join(folder, release);
  mkdirSync(ofRelease, { recursive: true });
  const file = path.join(ofRelease, `${recording.subject}.json`);
  writeFileSync(file, `${JSON.stringify(recording, null, 2)}\n`);
}

/** What a release is known to have said, and whatever was heard that shows more of the message. */
function recordingOf(message: Message, heard: Heard, known: Recording | undefined): Recording {
  const { subject } = message;
  const outputs =
    message.kind === 'rpc' ? { outputs: samplesOf(heard.outputs, known?.outputs ?? []) } : undefined;
  return {
    subject,
    shape: shapesOf(message),
    inputs: samplesOf(heard.inputs, known?.inputs ?? []),
    ...outputs,
  };
}

/** How a message as it is now and as it was recorded would be misunderstood. */
export function breaksSince({ shape }: Recording, message: Message): string[] {
  const now = shapesOf(message);
  return [
    ...breaksBetween(shape.input, now.input),
    ...breaksBetween(shape.output ?? {}, now.output ?? {}).map((fault) => `answer: ${fault}`),
  ];
}

function shapesOf(message: Message): Recording['shape'] {
  const output = message.kind === 'rpc' ? { output: shapeOf(message.output) } : undefined;
  return { input: shapeOf(wireInput(message)), ...output };
}
