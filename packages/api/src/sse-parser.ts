/** One server-sent event; fields that the stream omits are empty. */
export interface ServerSentEvent {
  id: string;
  event: string;
  data: string;
}

/** Maximum length of an event, in characters. */
const EVENT_CHARACTERS_MAX = 67_108_864;

/** Parses a stream of server-sent events (WHATWG HTML 9.2.6). A comment becomes `undefined`: a sign of life. */
export async function* parseEvents(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<ServerSentEvent | undefined, void, undefined> {
  const decoder = new TextDecoder();
  let pending: string[] = [];
  let size = 0;
  let fields = blank();
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    size += text.length;
    if (size > EVENT_CHARACTERS_MAX) throw new RangeError('a server-sent event is too long');
    pending.push(text);
    if (!text.includes('\n')) continue;
    const lines = pending.join('').split('\n');
    const rest = lines.pop() ?? '';
    pending = [rest];
    for (const line of lines.map((raw) => raw.replace(/\r$/, ''))) {
      if (line !== '') {
        read(line, fields);
        if (line.startsWith(':')) yield undefined;
        continue;
      }
      if (fields.data.length > 0) yield { ...fields, data: fields.data.join('\n') };
      fields = blank();
      size = rest.length;
    }
  }
}

interface Fields {
  id: string;
  event: string;
  data: string[];
}

function blank(): Fields {
  return { id: '', event: '', data: [] };
}

function read(line: string, fields: Fields): void {
  const colon = line.indexOf(':');
  if (colon === 0) return;
  const name = colon < 0 ? line : line.slice(0, colon);
  const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
  if (name === 'data') fields.data.push(value);
  else if (name === 'id' || name === 'event') fields[name] = value;
}
