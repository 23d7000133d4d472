import { CODINGS, type Coding } from './web-files.js';

/** The best coding that an `Accept-Encoding` header takes (RFC 9110 12.5.3); null for the plain bytes. */
export function acceptedCoding(header: string | undefined, available: readonly Coding[]): Coding | null {
  const accepted = new Map<string, number>();
  for (const part of (header ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    const quality = parameters.find((text) => text.startsWith('q='))?.slice(2);
    accepted.set(name, quality === undefined ? 1 : Number(quality));
  }
  const isAccepted = (coding: Coding) => (accepted.get(coding) ?? accepted.get('*') ?? 0) > 0;
  return CODINGS.find((coding) => available.includes(coding) && isAccepted(coding)) ?? null;
}
