import { FAULT, Fault } from './faults.mjs';

// The tar dialect of `tar.h`: ustar headers, GNU `L` and `K` entries for long names.
export const BLOCK = 512;
export const TYPE = {
  file: '0',
  hardlink: '1',
  symlink: '2',
  directory: '5',
  fifo: '6',
  longLink: 'K',
  longName: 'L',
};

const NAME_BYTES = 100;
const LINK_BYTES = 100;
const OWNER = 1000;

/** A header, with the entries before it that a long name or link needs. `mtime` in seconds. */
export function encodeEntry({ name, link = '', type, mode, mtime, size = 0 }) {
  const [nameBytes, linkBytes] = [Buffer.from(name), Buffer.from(link)];
  return Buffer.concat([
    ...(linkBytes.length > LINK_BYTES ? long(linkBytes, TYPE.longLink) : []),
    ...(nameBytes.length > NAME_BYTES ? long(nameBytes, TYPE.longName) : []),
    header({ nameBytes, linkBytes, type, mode, mtime, size }),
  ]);
}

export function padding(size) {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}

/** Throws on a block that is no header. */
export function decodeHeader(block) {
  const field = (start, end) => block.subarray(start, end);
  const number = (start, end) =>
    Number.parseInt(/^[0-7]*/.exec(field(start, end).toString('latin1'))[0] || '0', 8);
  const text = (start, end) => field(start, end).toString().replace(/\0.*$/s, '');
  if (checksum(block) !== number(148, 155)) throw new Fault(FAULT.malformed);
  return {
    name: text(0, 100),
    mode: number(100, 108) & 0o777,
    size: number(124, 136),
    mtime: number(136, 148),
    type: String.fromCharCode(block[156]),
    link: text(157, 257),
  };
}

function long(bytes, type) {
  const name = Buffer.from('././@LongLink');
  const size = bytes.length + 1;
  const content = Buffer.alloc(size + padding(size));
  bytes.copy(content);
  return [header({ nameBytes: name, linkBytes: Buffer.alloc(0), type, mode: 0, mtime: 0, size }), content];
}

function header({ nameBytes, linkBytes, type, mode, mtime, size }) {
  const block = Buffer.alloc(BLOCK);
  const octal = (value, start, width) =>
    block.write(`${value.toString(8).padStart(width - 1, '0')}\0`, start, 'latin1');
  nameBytes.copy(block, 0, 0, NAME_BYTES);
  octal(mode & 0o777, 100, 8);
  octal(OWNER, 108, 8);
  octal(OWNER, 116, 8);
  octal(size, 124, 12);
  octal(Math.max(0, mtime), 136, 12);
  block.write(type, 156, 'latin1');
  linkBytes.copy(block, 157, 0, LINK_BYTES);
  block.write('ustar  \0', 257, 'latin1');
  block.write(`${checksum(block).toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
}

function checksum(block) {
  let sum = 8 * 0x20;
  for (let i = 0; i < BLOCK; i++) if (i < 148 || i >= 156) sum += block[i];
  return sum;
}
