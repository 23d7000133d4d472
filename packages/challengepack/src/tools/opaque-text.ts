import { isJsonObject, type JsonValue } from '../json.js';
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

/** The place of a secret inside a text; encodings are applied to its value in this order. */
export interface SecretPiece {
  key: string;
  encodings: readonly Encoding[];
}

/** A text that holds unopened secrets. It is passed along a chain of tools in place of a string. */
export class OpaqueText {
  constructor(readonly pieces: readonly (string | SecretPiece)[]) {}

  static of(key: string): OpaqueText {
    return new OpaqueText([{ key, encodings: [] }]);
  }

  encode(encoding: Encoding): OpaqueText {
    return new OpaqueText(
      this.pieces.map((piece) =>
        typeof piece === 'string'
          ? TEXT_ENCODINGS[encoding](piece)
          : { key: piece.key, encodings: [...piece.encodings, encoding] },
      ),
    );
  }

  /** Keys of the secrets in it, in order of appearance. */
  get keys(): string[] {
    return this.pieces.flatMap((piece) => (typeof piece === 'string' ? [] : [piece.key]));
  }

  /** The text with every secret's value in its place. */
  reveal(value: (key: string) => string): string {
    return this.pieces
      .map((piece) =>
        typeof piece === 'string'
          ? piece
          : piece.encodings.reduce((text, encoding) => TEXT_ENCODINGS[encoding](text), value(piece.key)),
      )
      .join('');
  }

  /** The text with a mark in place of every secret, fit to be shown. */
  mask(): string {
    return this.pieces
      .map((piece) => (typeof piece === 'string' ? piece : `[redacted:${piece.key}]`))
      .join('');
  }

  toString(): string {
    return this.mask();
  }

  toJSON(): string {
    return this.mask();
  }
}

/** JSON in which texts may be opaque. */
export type OpaqueJson = JsonValue | OpaqueText | OpaqueJson[] | OpaqueObject;
export interface OpaqueObject {
  [key: string]: OpaqueJson;
}

export function isOpaqueObject(value: OpaqueJson | undefined): value is OpaqueObject {
  return isJsonObject(value) && !(value instanceof OpaqueText);
}

/** Turns every opaque text into a plain one. */
export function mapOpaque(value: OpaqueJson, plain: (text: OpaqueText) => string): JsonValue {
  if (value instanceof OpaqueText) return plain(value);
  if (Array.isArray(value)) return value.map((entry) => mapOpaque(entry, plain));
  if (!isOpaqueObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, mapOpaque(member, plain)]));
}

/** The compact JSON text of a value, opaque where the value is. */
export function jsonText(value: OpaqueJson): string | OpaqueText {
  const pieces: (string | SecretPiece)[] = [];
  writeJson(value, pieces);
  return joinPieces(pieces);
}

/** A plain string when no piece holds a secret. */
export function joinPieces(pieces: readonly (string | SecretPiece)[]): string | OpaqueText {
  const joined: (string | SecretPiece)[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') joined[joined.length - 1] = last + piece;
    else if (piece !== '') joined.push(piece);
  }
  if (joined.every((piece) => typeof piece === 'string')) return joined.join('');
  return new OpaqueText(joined);
}

function writeJson(value: OpaqueJson, out: (string | SecretPiece)[]): void {
  if (value instanceof OpaqueText) {
    out.push('"', ...value.encode('json').pieces, '"');
  } else if (Array.isArray(value)) {
    value.forEach((entry, index) => {
      out.push(index === 0 ? '[' : ',');
      writeJson(entry, out);
    });
    out.push(value.length === 0 ? '[]' : ']');
  } else if (isOpaqueObject(value)) {
    const members = Object.entries(value);
    members.forEach(([key, member], index) => {
      out.push(index === 0 ? '{' : ',', `${JSON.stringify(key)}:`);
      writeJson(member, out);
    });
    out.push(members.length === 0 ? '{}' : '}');
  } else {
    out.push(JSON.stringify(value));
  }
}
