import { sha256Hex } from '../canonical.js';

const MARK_DIGITS = 16;

/** A text between markers that it cannot forge: they hold the beginning of its own digest. */
export function dataBlock(title: string, text: string): string {
  const mark = sha256Hex(text).slice(0, MARK_DIGITS);
  return `<<<DATA ${mark} ${title}>>>\n${text}\n<<<END ${mark}>>>`;
}
