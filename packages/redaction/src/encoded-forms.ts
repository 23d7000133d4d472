import { BASE64_URL, base64Span, ENCODED_LENGTH_MIN } from '@agentclash/domain';
import { type Form, type Gap, SequenceForm } from './form.js';
import type { UnitKind } from './text-form.js';

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  .split('')
  // The last two characters differ in the URL alphabet.
  .map((unit) => unit + (BASE64_URL[unit] ?? ''));

/** As `xxd`, `od` and MAC-like notations part bytes. */
const BETWEEN_BYTES: Gap = { units: ' :-,\t\r\n', max: 2, every: 2 };
/** As MIME, PEM and `base64` wrap lines, with the indentation of a YAML block. */
const LINE_BREAK: Gap = { units: '\r\n \t', max: 12, every: 1 };

/** The value in UTF-16 of either byte order, as bytes or as the text that they are read as. */
export function utf16Forms(value: string, kind: UnitKind): Form[] {
  const little = Buffer.from(value, 'utf16le');
  const big = Buffer.from(little).swap16();
  const unitsOf = (bytes: Buffer) => bytes.toString(kind === 'bytes' ? 'latin1' : 'utf8').split('');
  // The zero at the outer edge belongs to the match when it is there.
  return [
    new SequenceForm(unitsOf(little), { optionalTail: little.at(-1) === 0 ? 1 : 0 }),
    new SequenceForm(unitsOf(big), { isHeadOptional: big[0] === 0 }),
  ];
}

/** The value's bytes in hexadecimal, either case, with or without separators between bytes. */
export function hexForms(bytes: Uint8Array): Form[] {
  const digits = Buffer.from(bytes).toString('hex').split('');
  if (digits.length < ENCODED_LENGTH_MIN) return [];
  return [
    new SequenceForm(
      digits.map((digit) => (/[a-f]/.test(digit) ? digit + digit.toUpperCase() : digit)),
      { gap: BETWEEN_BYTES },
    ),
  ];
}

/** The value's bytes within base64 text of either alphabet, wrapped or not, at each of the three alignments. */
export function base64Forms(bytes: Uint8Array): Form[] {
  return [0, 1, 2].flatMap((before) => base64At(bytes, before));
}

/**
 * The characters that the value alone decides, when `before` bytes precede it in its group of three. A character that
 * holds bits of the value and of the adjacent byte belongs to the match when it is there and agrees; so does the
 * padding.
 */
function base64At(bytes: Uint8Array, before: number): Form[] {
  const startBit = before * 8;
  const endBit = startBit + bytes.length * 8;
  const { first, end } = base64Span(bytes.length, before);
  if (end - first < ENCODED_LENGTH_MIN) return [];
  const sextets = sextetsOf(bytes, before);
  const fixed = sextets.slice(first, end).map((value) => BASE64[value] ?? '');
  const headBits = first * 6 - startBit;
  const head = headBits > 0 ? [agreeing(sextets[first - 1] ?? 0, (1 << headBits) - 1)] : [];
  const tailBits = endBit - end * 6;
  const shared = agreeing(sextets[end] ?? 0, 0x3f & ~((1 << (6 - tailBits)) - 1));
  const padding = Array<string>(tailBits > 0 ? 3 - ((before + bytes.length) % 3) : 0).fill('=');
  const tail = tailBits > 0 ? [shared, ...padding] : [];
  return [
    new SequenceForm([...head, ...fixed, ...tail], {
      isHeadOptional: head.length > 0,
      optionalTail: tail.length,
      gap: LINE_BREAK,
    }),
  ];
}

/** The base64 values of the bytes behind `before` zero bytes. */
function sextetsOf(bytes: Uint8Array, before: number): number[] {
  const padded = Buffer.concat([Buffer.alloc(before), bytes, Buffer.alloc(2)]);
  const sextets: number[] = [];
  for (let index = 0; index + 2 < padded.length; index += 3) {
    const group = padded.readUIntBE(index, 3);
    sextets.push(group >> 18, (group >> 12) & 0x3f, (group >> 6) & 0x3f, group & 0x3f);
  }
  return sextets;
}

/** All characters whose value has the given bits under the mask. */
function agreeing(value: number, mask: number): string {
  return BASE64.filter((_, sextet) => (sextet & mask) === (value & mask)).join('');
}
