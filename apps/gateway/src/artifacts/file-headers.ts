import type { Artifact } from '@agentclash/contracts';

const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:; ?charset=[\w-]+)?$/;

/** Headers of a stored file. It is always a download: what users store must never run as a page of ours. */
export function fileHeaders({ media_type, name, bytes, sha256 }: Artifact): Record<string, string> {
  const type = media_type !== null && MEDIA_TYPE.test(media_type) ? media_type : 'application/octet-stream';
  const encoded = encodeURIComponent(name.replaceAll(/\p{Surrogate}/gu, '�')).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return {
    'content-type': type,
    'content-length': String(bytes),
    'content-disposition': `attachment; filename*=UTF-8''${encoded}`,
    etag: `"${sha256}"`,
  };
}
