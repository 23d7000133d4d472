import { extract, type Header, pack } from 'tar-stream';

export interface ArchiveFile {
  name: string;
  mode: number;
  content: Buffer | string;
}

/** A tar archive of a few files of root. */
export async function archiveOf(files: readonly ArchiveFile[]): Promise<Buffer> {
  const tar = pack();
  for (const { name, mode, content } of files) tar.entry({ name, mode, uid: 0, gid: 0 }, content);
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** The regular file that an archive begins with; undefined where it begins with anything else. */
export async function firstFile(archive: Buffer): Promise<{ header: Header; content: Buffer } | undefined> {
  const tar = extract();
  tar.end(archive);
  for await (const entry of tar) {
    const { header } = entry;
    if (header.type !== 'file') return undefined;
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    return { header, content: Buffer.concat(chunks) };
  }
  return undefined;
}
