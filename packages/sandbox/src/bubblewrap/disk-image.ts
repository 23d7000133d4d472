import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, open } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { findProgram, toolEnvironment } from '../host/config.js';

const run = promisify(execFile);

const MIB = 1024 * 1024;
/** Bytes of an image that the file system itself takes. */
const OVERHEAD = 1.05;
const FEATURES = '^has_journal,^resize_inode';

/** The program that makes images, when this process may also mount them. */
export function findImageMaker(isRoot: boolean): string | undefined {
  return isRoot && existsSync('/dev/loop-control') ? findProgram('mkfs.ext4') : undefined;
}

export function imageFile(stateDir: string, id: string): string {
  return path.join(stateDir, `${id}.image`);
}

/**
 * An ext4 image of `bytes`, reserved on the host's disk: what fills up later must be the sandbox's disk, not
 * the one below it. The launcher removes its name once it is mounted. Rejects with the output of the tools.
 */
export async function makeImage(maker: string, file: string, bytes: number): Promise<void> {
  const size = Math.ceil((bytes * OVERHEAD) / MIB + 4) * MIB;
  const handle = await open(file, 'wx', 0o600);
  try {
    await run('fallocate', ['--length', String(size), file], { env: toolEnvironment() });
  } catch (error) {
    if (!/not supported/i.test(String((error as { stderr?: string }).stderr))) throw error;
    await handle.truncate(size);
  } finally {
    await handle.close();
  }
  await run(maker, ['-q', '-F', '-m', '0', '-O', FEATURES, '-E', 'nodiscard,lazy_itable_init=1', file], {
    env: toolEnvironment(),
  });
  await chmod(file, 0o600);
}
