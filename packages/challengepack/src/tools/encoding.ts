import type { Encoding } from './placeholder.js';

/** Encodings of text, character by character: the encoding of a whole is that of its pieces, joined. */
export const TEXT_ENCODINGS: Record<Encoding, (text: string) => string> = {
  /** The inside of a JSON string, without the quotes. */
  json: (text) => JSON.stringify(text).slice(1, -1),
  query: (text) => percentEncode(text, UNRESERVED).replaceAll('%20', '+'),
  path: (text) => percentEncode(text, SEGMENT),
};

const UNRESERVED = /[A-Za-z0-9\-._~]/;
const SEGMENT = /[A-Za-z0-9\-._~$&+:=@]/;
const utf8 = new TextEncoder();

function percentEncode(text: string, keep: RegExp): string {
  let encoded = '';
  for (const character of text) {
    if (keep.test(character)) encoded += character;
    else
      for (const byte of utf8.encode(character))
        encoded += `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return encoded;
}
