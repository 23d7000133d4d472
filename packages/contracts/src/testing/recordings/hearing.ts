import type { Message } from '../../message.js';
import { MESSAGES, messageOn, wireInput } from './catalogue.js';
import type { Heard } from './recordings.js';

/** One message that a connection has sent; `data` as it travelled. */
interface Note {
  subject: string;
  reply?: string;
  data: string;
}

/** What the notes of connections, a line for each message, hold of each message. What tests send to be refused is none. */
export function heardIn(notesOfConnections: readonly string[]): Map<Message, Heard> {
  const heard = new Map<Message, Heard>(
    [...MESSAGES.values()].map((message) => [message, { inputs: [], outputs: [] }]),
  );
  for (const notes of notesOfConnections) hear(notes, heard);
  return heard;
}

function hear(notes: string, heard: ReadonlyMap<Message, Heard>): void {
  const asked = new Map<string, Message>();
  for (const line of notes.split('\n').filter(Boolean)) {
    const { subject, reply, data }: Note = JSON.parse(line);
    const content = jsonIn(data);
    const message = messageOn(subject);
    const question = asked.get(subject);
    if (message && wireInput(message).safeParse(content).success) {
      heard.get(message)?.inputs.push(content);
      if (reply !== undefined) asked.set(reply, message);
    } else if (question?.kind === 'rpc' && isAnswer(content)) {
      if (question.output.safeParse(content.data).success) heard.get(question)?.outputs.push(content.data);
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
