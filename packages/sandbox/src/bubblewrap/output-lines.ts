import { StringDecoder } from 'node:string_decoder';

const CHARACTERS_MAX = 2_000;

/** The lines of a program's output; of longer ones the beginning. */
export async function* outputLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let open = '';
  for await (const chunk of chunks) {
    const parts = decoder.write(chunk).split('\n');
    const last = parts.pop() ?? '';
    for (const part of parts) {
      yield (open + part).slice(0, CHARACTERS_MAX);
      open = '';
    }
    open = (open + last).slice(0, CHARACTERS_MAX);
  }
  if (open !== '') yield open;
}
