export interface TarItem {
  path: string;
  content?: string | Uint8Array;
  /** `1` hard link, `2` symbolic link, `5` directory, `6` what has a name and no content; default a file. */
  type?: '0' | '1' | '2' | '5' | '6';
  link?: string;
}

const BLOCK = 512;

/** A snapshot as the sandbox writes it: ustar headers, GNU entries for long names and links. */
export function tarOf(items: readonly TarItem[]): Buffer {
  const blocks = items.flatMap((item) => {
    const link = item.link ?? '';
    return [
      ...(item.path.length > 100 ? block('L', '././@LongLink', Buffer.from(`${item.path}\0`)) : []),
      ...(link.length > 100 ? block('K', '././@LongLink', Buffer.from(`${link}\0`)) : []),
      ...block(
        item.type ?? '0',
        item.path.slice(0, 100),
        Buffer.from(item.content ?? ''),
        link.slice(0, 100),
      ),
    ];
  });
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}

function block(type: string, name: string, content: Buffer, link = ''): Buffer[] {
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0);
  header.write('0000644\0', 100);
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write('        ', 148);
  header.write(type, 156);
  header.write(link, 157);
  header.write('ustar  \0', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return [header, content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)];
}
