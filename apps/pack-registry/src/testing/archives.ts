import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  name: string;
  content?: string | Buffer;
  /** The Unix mode of the file; default: a regular file. */
  mode?: number;
  /** Header values that override the correct ones. */
  unpacked?: number;
  packed?: number;
  flags?: number;
  method?: number;
  crc?: number;
}

/** A zip archive of these entries, deflated. */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, content = '', mode = 0o100644, flags = 0, method = 8, ...overrides } of entries) {
    const bytes = Buffer.from(content);
    const data = method === 8 ? deflateRawSync(bytes) : bytes;
    const fileName = Buffer.from(name);
    const sizes = Buffer.alloc(12);
    sizes.writeUInt32LE(overrides.crc ?? crc32(bytes), 0);
    sizes.writeUInt32LE(overrides.packed ?? data.length, 4);
    sizes.writeUInt32LE(overrides.unpacked ?? bytes.length, 8);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(flags, 6);
    local.writeUInt16LE(method, 8);
    sizes.copy(local, 14);
    local.writeUInt16LE(fileName.length, 26);
    const header = Buffer.alloc(46);
    header.writeUInt32LE(0x02014b50, 0);
    header.writeUInt8(3, 5);
    header.writeUInt16LE(flags, 8);
    header.writeUInt16LE(method, 10);
    sizes.copy(header, 16);
    header.writeUInt16LE(fileName.length, 28);
    header.writeUInt32LE((mode << 16) >>> 0, 38);
    header.writeUInt32LE(offset, 42);
    locals.push(local, fileName, data);
    central.push(header, fileName);
    offset += local.length + fileName.length + data.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}

export interface TarEntry {
  name: string;
  content?: string | Buffer;
  type?: string;
  /** The target of a link. */
  link?: string;
  prefix?: string;
}

/** A ustar archive of these entries. */
export function tarOf(entries: readonly TarEntry[]): Buffer {
  const blocks = entries.flatMap(({ name, content = '', type = '0', link = '', prefix = '' }) => {
    const bytes = Buffer.from(content);
    const header = Buffer.alloc(512);
    header.write(name, 0, 100);
    header.write('0000644\0', 100);
    header.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124);
    header.write('        ', 148);
    header.write(type, 156);
    header.write(link, 157, 100);
    header.write('ustar\x0000', 257, 'latin1');
    header.write(prefix, 345, 155);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

/** A pax record: `length key=value` and a line break, the length counting all of it. */
export function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  let length = rest.length;
  while (`${length}${rest}`.length !== length) length += 1;
  return `${length}${rest}`;
}
