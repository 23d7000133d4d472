// What a worker says beside its data, in the bytes of `files.h`.
import fs from 'node:fs';

const RESULT = 1;
const OMISSION = 2;
/** Of each reason: many harmless omissions must not crowd out the one that matters. */
const OMISSIONS_MAX = 200;
const KIND = { file: 1, directory: 2, symlink: 4, other: 8 };

const omissions = new Map();

export function kindOf(stat) {
  if (stat.isFile()) return KIND.file;
  if (stat.isDirectory()) return KIND.directory;
  return stat.isSymbolicLink() ? KIND.symlink : KIND.other;
}

export function reportResult(numbers, path) {
  const bytes = Buffer.alloc(25);
  bytes[0] = RESULT;
  for (const [index, number] of numbers.entries()) bytes.writeBigUInt64LE(BigInt(number), 1 + 8 * index);
  writeAll(2, Buffer.concat([bytes, text(path)]));
}

export function omissionsCount() {
  return [...omissions.values()].reduce((sum, count) => sum + count, 0);
}

/** Only the first omissions of each reason are named; all are counted. */
export function reportOmitted(path, reason) {
  const count = (omissions.get(reason) ?? 0) + 1;
  omissions.set(reason, count);
  if (count <= OMISSIONS_MAX) writeAll(2, Buffer.concat([Buffer.from([OMISSION]), text(path), text(reason)]));
}

export function text(string) {
  const bytes = Buffer.from(string);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, bytes]);
}

export function writeAll(fd, bytes) {
  for (let done = 0; done < bytes.length; ) {
    try {
      done += fs.writeSync(fd, bytes, done);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}
