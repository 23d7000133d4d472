import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';

const PERMISSIONS = 0o777;

/** What each file below a folder is, by its path: its permissions, and its bytes or where it points to. */
export function fingerprintsOf(folder: string): Map<string, string> {
  const found = new Map<string, string>();
  const walk = (at: string) => {
    for (const { name } of readdirSync(path.join(folder, at), { withFileTypes: true })) {
      const file = path.posix.join(at, name);
      const place = path.join(folder, file);
      const status = lstatSync(place);
      if (status.isDirectory()) walk(file);
      else if (status.isSymbolicLink()) found.set(file, `-> ${readlinkSync(place)}`);
      else found.set(file, `${(status.mode & PERMISSIONS).toString(8)} ${digestOf(place)}`);
    }
  };
  walk('');
  return found;
}

/** The paths at which two folders are not the same. */
export function differencesOf(one: Map<string, string>, other: Map<string, string>): string[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter((file) => one.get(file) !== other.get(file));
}

function digestOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
