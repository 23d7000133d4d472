import { BASE64_URL, base64Span, ENCODED_LENGTH_MIN, JSON_ESCAPES } from '@agentclash/domain';

/** A shorter planted value would be found by chance. */
const PLANTED_BYTES_MIN = 8;

/** Finds a planted value: raw, escaped for a URL or JSON (freely mixed), in hex, or in base64 at any alignment. */
export function secretPattern(value: string): RegExp | null {
  const bytes = Buffer.from(value, 'utf8');
  if (bytes.length < PLANTED_BYTES_MIN) return null;
  const forms = [Array.from(value, characterForms).join(''), hexForm(bytes), ...base64Forms(bytes)];
  return new RegExp(forms.join('|'), 'u');
}

function characterForms(character: string): string {
  const forms = [literal(character), percentForm(character), unicodeForm(character)];
  if (character === ' ') forms.push('\\+');
  const jsonEscape = JSON_ESCAPES[character];
  if (jsonEscape !== undefined) forms.push(literal(`\\${jsonEscape}`));
  return `(?:${forms.join('|')})`;
}

function percentForm(character: string): string {
  return Array.from(Buffer.from(character, 'utf8'), (byte) => `%${anyCase(hexOf(byte, 2))}`).join('');
}

function unicodeForm(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\\\u${anyCase(hexOf(unit, 4))}`).join('');
}

function hexForm(bytes: Buffer): string {
  return Array.from(bytes, (byte) => anyCase(hexOf(byte, 2))).join('');
}

/** Of each alignment, the characters that the value alone decides. */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const { first, end } = base64Span(bytes.length, before);
    const fixed = text.slice(first, end);
    if (fixed.length < ENCODED_LENGTH_MIN) return [];
    return [fixed.replace(/[+/]/g, (unit) => `[${literal(unit)}${BASE64_URL[unit]}]`)];
  });
}

function hexOf(value: number, length: number): string {
  return value.toString(16).padStart(length, '0');
}

function anyCase(hex: string): string {
  return hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** A planted value as it is searched for. */
export interface PlantedValue {
  readonly value: string;
}

/** The longest escape of a UTF-16 unit: `\uXXXX`; a character of two units has two of them, or four of `%XX`. */
const ESCAPE_LENGTH_MAX = 6;

/**
 * One pattern for all planted values that are searched for, one for each, and how long a match can be. `each` keeps the
 * order of the values; of those too short there is none.
 */
export function plantedValueForms(values: readonly PlantedValue[]): {
  readonly any: RegExp;
  readonly each: readonly RegExp[];
  readonly lengthMax: number;
} {
  const each = values.flatMap(({ value }) => secretPattern(value) ?? []);
  const bytesMax = Math.max(0, ...values.map(({ value }) => Buffer.byteLength(value)));
  const any = each.length === 0 ? /(?!)/u : new RegExp(each.map(({ source }) => source).join('|'), 'u');
  return { any, each, lengthMax: ESCAPE_LENGTH_MAX * bytesMax };
}
