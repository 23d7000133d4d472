import { constants } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Account } from './account.js';

/** The first folder on the path to `target` (itself included) that the account may not enter; undefined when it can reach it. */
export async function closedFolder(target: string, account: Account): Promise<string | undefined> {
  for (const folder of [...ancestors(target), target]) {
    const { uid, gid, mode } = await stat(folder);
    const enter =
      uid === account.uid ? constants.S_IXUSR : gid === account.gid ? constants.S_IXGRP : constants.S_IXOTH;
    if ((mode & enter) === 0) return folder;
  }
  return undefined;
}

/** From the root down, without the target. */
function ancestors(target: string): string[] {
  const parent = path.dirname(target);
  return parent === target ? [] : [...ancestors(parent), parent];
}
