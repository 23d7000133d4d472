import type { Artifact } from '@agentclash/contracts';
import type { ByteRange } from '@agentclash/service-kit';

const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:; ?charset=[\w-]+)?$/;

export function entityTag({ sha256 }: Artifact): string {
  return `"${sha256}"`;
}

/**
 * Headers of a stored file, or of a range of it. It is always a download: what users store must never run as a page of
 * this origin.
 */
export function fileHeaders(artifact: Artifact, part?: ByteRange): Record<string, string> {
  const { media_type, name, bytes } = artifact;
  const type = media_type !== null && MEDIA_TYPE.test(media_type) ? media_type : 'application/octet-stream';
  const encoded = encodeURIComponent(name.replaceAll(/\p{Surrogate}/gu, '�')).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return {
    'content-type': type,
    'content-length': String(part ? part.end - part.start + 1 : bytes),
    ...(part && { 'content-range': `bytes ${part.start}-${part.end}/${bytes}` }),
    'accept-ranges': 'bytes',
    'content-disposition': `attachment; filename*=UTF-8''${encoded}`,
    etag: entityTag(artifact),
  };
}

/**
 * The range that a `Range` header requests. Undefined, which means the whole, for none, for several, and
 * for one that is malformed or out of bounds: servers may ignore those (RFC 9110, 14.2).
 */
export function byteRange(header: string | undefined, bytes: number): ByteRange | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
  return start <= end ? { start, end } : undefined;
}
