import { isScalar, parseDocument } from 'yaml';

/** The document with another version number; everything else stays as it is written. */
export function withVersionNumber(text: string, number: number): string {
  const written = parseDocument(text, { logLevel: 'silent' }).getIn(['version', 'number'], true);
  if (!isScalar(written) || !written.range) return text;
  const [from, to] = written.range;
  return text.slice(0, from) + String(number) + text.slice(to);
}
