/** Unicode White_Space. `String.prototype.trim` differs: it strips U+FEFF and keeps U+0085. */
const WHITE_SPACE = /\p{White_Space}/u;

/** Strips Unicode white space at both ends. */
export function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && WHITE_SPACE.test(text.charAt(start))) start++;
  while (end > start && WHITE_SPACE.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

export function isBlank(text: string): boolean {
  return trim(text) === '';
}
