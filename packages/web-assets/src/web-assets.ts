import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { isScreenAddress } from './screen-address.js';

const PAGE = '/index.html';
/** Files of other kinds are not served. */
const EXTENSIONS: ReadonlySet<string> = new Set(['.html', '.js', '.css', '.svg', '.txt', '.woff2']);

export interface WebAsset {
  /** Its address, which begins with `/`; below the folder it is its path. */
  file: string;
  entityTag: string;
}

/** The files of a built app by their addresses. No other address reaches the disk. */
export class WebAssets {
  private constructor(private readonly entityTags: ReadonlyMap<string, string>) {}

  /** Undefined for a folder that holds no built app. */
  static async read(folder: string): Promise<WebAssets | undefined> {
    const names = (await namesIn(folder)).filter((name) => EXTENSIONS.has(path.extname(name)));
    const files = names.map(async (name) => {
      const digest = createHash('sha256').update(await readFile(path.join(folder, name)));
      const entityTag = `"${digest.digest('base64url').slice(0, 27)}"`;
      return [`/${name.replaceAll(path.sep, '/')}`, entityTag] as const;
    });
    const entityTags = new Map(await Promise.all(files));
    return entityTags.has(PAGE) ? new WebAssets(entityTags) : undefined;
  }

  /** The file of an address; the page for that of a screen, which only the app can resolve. */
  at(url: string, accept = ''): WebAsset | undefined {
    const [address = '/'] = url.split('?');
    const isPage = address === '/' || (isScreenAddress(address) && /\btext\/html\b/.test(accept));
    const file = this.entityTags.has(address) ? address : isPage ? PAGE : undefined;
    const entityTag = file && this.entityTags.get(file);
    return file === undefined || entityTag === undefined ? undefined : { file, entityTag };
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder, { recursive: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
