import type { Edit } from '../edits/edit.js';

const DATE = /(?<!\d)\d{4}-\d{2}-(\d{2})(?!\d)/g;
const NUMBER =
  /(?<![\p{L}\p{N}_.+-]|\d,)([-+]?)(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?![\p{L}\p{N}_]|\.\d|,\d{3}(?!\d))/gu;
const DIGITS_MAX = 15;

/** Numbers and dates become other ones: by one, of the other sign, ten times as large. */
export function numberEdits(text: string): Edit[] {
  const dates = [...text.matchAll(DATE)];
  const isInDate = (at: number) =>
    dates.some(({ index, 0: date }) => at >= index && at < index + date.length);
  const numbers = [...text.matchAll(NUMBER)].filter(({ index }) => !isInDate(index));
  return [...dates.map(otherDay), ...numbers.flatMap((match) => otherNumbers(match))];
}

function otherDay({ index, 0: date, 1: day = '' }: RegExpExecArray): Edit {
  const other = Number(day) >= 28 ? Number(day) - 1 : Number(day) + 1;
  const end = index + date.length;
  return { operator: 'date', start: end - day.length, end, text: String(other).padStart(2, '0') };
}

function otherNumbers({
  index,
  0: all,
  1: sign = '',
  2: whole = '',
  3: fraction = '',
}: RegExpExecArray): Edit[] {
  const start = index + sign.length;
  const at = { start, end: index + all.length };
  const digits = whole.replaceAll(',', '');
  if (digits.length > DIGITS_MAX)
    return [{ operator: 'number', ...at, text: otherLastDigit(digits) + fraction }];
  const grouped = (value: number) => (whole.includes(',') ? value.toLocaleString('en-US') : String(value));
  const hasZeros = digits.length > 1 && digits.startsWith('0');
  const next = String(Number(digits) + 1).padStart(digits.length, '0');
  const edits = [{ operator: 'number', ...at, text: (hasZeros ? next : grouped(Number(next))) + fraction }];
  // Zeros in front are those of times and identifiers, which have neither sign nor size.
  if (hasZeros || Number(digits + fraction) === 0) return edits;
  const scaled =
    fraction === ''
      ? grouped(Number(digits) * 10)
      : `${grouped(Number(digits + (fraction[1] ?? '')))}${rest(fraction)}`;
  const flipped = { start: index, end: start, text: sign === '-' ? '' : '-' };
  return [
    ...edits,
    { operator: 'number_scale', ...at, text: scaled },
    { operator: 'number_sign', ...flipped },
  ];
}

function rest(fraction: string): string {
  return fraction.length > 2 ? `.${fraction.slice(2)}` : '';
}

function otherLastDigit(digits: string): string {
  return digits.slice(0, -1) + String((Number(digits.at(-1)) + 1) % 10);
}
