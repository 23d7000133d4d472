import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { z } from 'zod';

const MARK = 'in-use-';
/** A mark of another machine is stale after this time, which no attempt exceeds. */
const FOREIGN_AGE_MAX_MS = 24 * 3_600_000;

const markSchema = z.object({
  pid: z.number().int().positive(),
  host: z.string(),
  started: z.string().optional(),
});

/** Marks a layer's folder as in use by this process; the returned function removes the mark. Idempotent. */
export async function markUse(folder: string): Promise<() => Promise<void>> {
  const mark = path.join(folder, `${MARK}${process.pid}-${randomUUID()}`);
  const started = await startOf(process.pid);
  const content = { pid: process.pid, host: hostname(), ...(started !== undefined && { started }) };
  try {
    await writeFile(mark, JSON.stringify(content), { flag: 'wx' });
  } catch (error) {
    // A folder that this process may not write is of another user, who has to know its users.
    if (!UNWRITABLE.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
  return () => rm(mark, { force: true });
}

const UNWRITABLE: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOENT']);

/** True for a folder that a process has marked, alive or not. */
export async function isMarked(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => []);
  return names.some((name) => name.startsWith(MARK));
}

/** The uses of a layer by processes that are alive. */
export async function countUses(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const marks = names.filter((name) => name.startsWith(MARK));
  const uses = await Promise.all(marks.map((name) => isInUse(path.join(folder, name))));
  return uses.filter(Boolean).length;
}

async function isInUse(file: string): Promise<boolean> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return false;
  const mark = markSchema.safeParse(parsed(text));
  if (!mark.success) return isRecent(file);
  const { pid, host, started } = mark.data;
  if (host !== hostname()) return await isRecent(file);
  // The number of a process that has ended may be of another one.
  return isAlive(pid) && (started === undefined || (await startOf(pid)) === started);
}

async function isRecent(file: string): Promise<boolean> {
  const facts = await stat(file).catch(() => undefined);
  return facts !== undefined && Date.now() - facts.mtimeMs < FOREIGN_AGE_MAX_MS;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The start of a process in ticks since the machine's; undefined where there is no `/proc`. */
async function startOf(pid: number): Promise<string | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // The second field is a name in parentheses, which may hold blanks.
  return text?.slice(text.lastIndexOf(')') + 2).split(' ')[19];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
