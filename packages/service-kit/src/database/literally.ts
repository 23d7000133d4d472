/** A text as a part of a pattern of LIKE: its wildcards are escaped, which Prisma's `contains` does not do. */
export function literally(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
