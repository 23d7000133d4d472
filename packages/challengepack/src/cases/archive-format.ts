import type { Asset } from '../pack/model.js';

export const ARCHIVE_FORMATS = ['zip', 'tar', 'tar.gz'] as const;
export type ArchiveFormat = (typeof ARCHIVE_FORMATS)[number];

const BY_ENDING: readonly (readonly [ending: string, format: ArchiveFormat])[] = [
  ['.zip', 'zip'],
  ['.tar', 'tar'],
  ['.tar.gz', 'tar.gz'],
  ['.tgz', 'tar.gz'],
];
const BY_MEDIA_TYPE: Readonly<Record<string, ArchiveFormat>> = {
  'application/zip': 'zip',
  'application/x-tar': 'tar',
};

/**
 * The format of an asset that is an archive, by the end of its path or its media type; undefined for any other file.
 */
export function archiveFormat({ path = '', media_type = '' }: Partial<Asset>): ArchiveFormat | undefined {
  const name = path.toLowerCase();
  const found = BY_ENDING.find(([ending]) => name.endsWith(ending))?.[1];
  const type = media_type.toLowerCase();
  return found ?? (Object.hasOwn(BY_MEDIA_TYPE, type) ? BY_MEDIA_TYPE[type] : undefined);
}
