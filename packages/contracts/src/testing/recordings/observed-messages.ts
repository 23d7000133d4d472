import type { Message } from '../../message.js';
import { MESSAGES, messageOn, wireInput } from './catalogue.js';
import type { Observed } from './recordings.js';

/** One recorded message of a connection; `data` as sent. */
interface RecordedLine {
  subject: string;
  reply?: string;
  data: string;
}

/** The valid contents of each message in the recordings of connections, which have one line per message. */
export function observedIn(recordingsOfConnections: readonly string[]): Map<Message, Observed> {
  const observed = new Map<Message, Observed>(
    [...MESSAGES.values()].map((message) => [message, { inputs: [], outputs: [] }]),
  );
  for (const lines of recordingsOfConnections) observe(lines, observed);
  return observed;
}

function observe(lines: string, observed: ReadonlyMap<Message, Observed>): void {
  const requests = new Map<string, Message>();
  for (const line of lines.split('\n').filter(Boolean)) {
    const { subject, reply, data }: RecordedLine = JSON.parse(line);
    const content = jsonIn(data);
    const message = messageOn(subject);
    const request = requests.get(subject);
    if (message && wireInput(message).safeParse(content).success) {
      observed.get(message)?.inputs.push(content);
      if (reply !== undefined) requests.set(reply, message);
    } else if (request?.kind === 'rpc' && isOkReply(content)) {
      if (request.output.safeParse(content.data).success) observed.get(request)?.outputs.push(content.data);
    }
  }
}

function isOkReply(content: unknown): content is { ok: true; data: unknown } {
  return typeof content === 'object' && content !== null && 'ok' in content && content.ok === true;
}

function jsonIn(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    return undefined;
  }
}
