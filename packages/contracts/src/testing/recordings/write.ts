// `pnpm recordings`: makes recordings of what services said while their tests ran, as noted in the folder it is given.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Message } from '../../message.js';
import { MESSAGES, messageOn, wireInput } from './catalogue.js';
import { RECORDINGS } from './recordings.js';
import { samplesOf } from './samples.js';

interface Note {
  subject: string;
  reply?: string;
  data: string;
}

interface Heard {
  inputs: unknown[];
  outputs: unknown[];
}

const [notesFolder, release] = process.argv.slice(2);
if (notesFolder === undefined || release === undefined) throw new Error('usage: write.ts <notes> <release>');

const heard = new Map<string, Heard>(
  [...MESSAGES.keys()].map((subject) => [subject, { inputs: [], outputs: [] }]),
);
for (const file of readdirSync(notesFolder)) hear(readFileSync(path.join(notesFolder, file), 'utf8'));

const folder = path.join(RECORDINGS, release);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const [subject, { inputs, outputs }] of heard) {
  const recording = {
    subject,
    inputs: samplesOf(inputs),
    ...(MESSAGES.get(subject)?.kind === 'rpc' && { outputs: samplesOf(outputs) }),
  };
  if (inputs.length > 0) {
    writeFileSync(path.join(folder, `${subject}.json`), `${JSON.stringify(recording, null, 2)}\n`);
  }
}
const missing = [...heard].filter(([, { inputs }]) => inputs.length === 0).map(([subject]) => subject);
process.stdout.write(`recorded ${heard.size - missing.length} messages in ${folder}\n`);
if (missing.length > 0) process.stdout.write(`never heard: ${missing.join(', ')}\n`);

/** What tests send to be refused is no message. */
function hear(notes: string): void {
  const asked = new Map<string, Message>();
  for (const line of notes.split('\n').filter(Boolean)) {
    const { subject, reply, data }: Note = JSON.parse(line);
    const content = jsonIn(data);
    const message = messageOn(subject);
    const question = asked.get(subject);
    if (message && wireInput(message).safeParse(content).success) {
      heard.get(message.subject)?.inputs.push(content);
      if (reply !== undefined) asked.set(reply, message);
    } else if (question?.kind === 'rpc' && isAnswer(content)) {
      if (question.output.safeParse(content.data).success)
        heard.get(question.subject)?.outputs.push(content.data);
    }
  }
}

function isAnswer(content: unknown): content is { ok: true; data: unknown } {
  return typeof content === 'object' && content !== null && 'ok' in content && content.ok === true;
}

function jsonIn(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    return undefined;
  }
}
