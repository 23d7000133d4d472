import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { CallError } from './call-error.js';

/** The folders in which files of tools may be: the working directory, and those that the flag of the server names. */
export class AllowedFolders {
  private constructor(private readonly roots: readonly string[]) {}

  /** Fails as the file system does where a folder does not exist. */
  static async of(folders: readonly string[]): Promise<AllowedFolders> {
    return new AllowedFolders(await Promise.all(folders.map((folder) => realpath(folder))));
  }

  /** The path of an existing file or folder, from the working directory where it is in there. Links are followed first. */
  async existing(given: string): Promise<string> {
    return this.shown(this.inside(given, await realOf(given, path.resolve(this.working, given))));
  }

  /** The path of a file that need not exist, in a folder that does. */
  async writable(given: string): Promise<string> {
    const file = path.resolve(this.working, given);
    const folder = await realOf(given, path.dirname(file));
    return this.shown(this.inside(given, path.join(folder, path.basename(file))));
  }

  private get working(): string {
    return this.roots[0] ?? '';
  }

  private inside(given: string, file: string): string {
    const isInside = this.roots.some((root) => file === root || file.startsWith(withSeparator(root)));
    if (isInside) return file;
    throw new CallError(`${given} is outside of the folders of this server`, [
      `Files may be in ${this.roots.join(', ')}. agentclash mcp --folder FOLDER adds one, in the settings of the client that starts this server.`,
    ]);
  }

  private shown(file: string): string {
    const relative = path.relative(this.working, file);
    return relative.startsWith('..') || path.isAbsolute(relative) ? file : `.${path.sep}${relative}`;
  }
}

function withSeparator(folder: string): string {
  return folder.endsWith(path.sep) ? folder : `${folder}${path.sep}`;
}

async function realOf(given: string, file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' || code === 'ENOTDIR' ? 'does not exist' : `cannot be read (${code})`;
    throw new CallError(`${given} ${reason}`, ['Paths count from the working directory of this server.']);
  }
}
