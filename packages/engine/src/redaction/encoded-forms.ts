import { type Form, SequenceForm } from './form.js';

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  .split('')
  // The last two characters differ in the URL alphabet.
  .map((unit) => ({ '+': '+-', '/': '/_' })[unit] ?? unit);

/** A shorter encoding occurs by chance. */
const ENCODED_LENGTH_MIN = 6;

/** The value's bytes in hexadecimal, either case. */
export function hexForms(bytes: Uint8Array): Form[] {
  const digits = Buffer.from(bytes).toString('hex').split('');
  if (digits.length < ENCODED_LENGTH_MIN) return [];
  return [
    new SequenceForm(digits.map((digit) => (/[a-f]/.test(digit) ? digit + digit.toUpperCase() : digit))),
  ];
}

/** The value's bytes within base64 text of either alphabet, at each of the three alignments. */
export function base64Forms(bytes: Uint8Array): Form[] {
  return [0, 1, 2].flatMap((before) => base64At(bytes, before));
}

/**
 * The characters that the value alone decides, when `before` bytes precede it in its group of three. A character that
 * holds bits of the value and of its neighbour belongs to the match when it is there and agrees; so does the padding.
 */
function base64At(bytes: Uint8Array, before: number): Form[] {
  const startBit = before * 8;
  const endBit = startBit + bytes.length * 8;
  const first = Math.ceil(startBit / 6);
  const end = Math.floor(endBit / 6);
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
