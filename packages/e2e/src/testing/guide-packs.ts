import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { repository } from '../product.js';

/** A whole pack that a page of the documentation shows, with the files that it shows beside it. */
interface GuidePack {
  slug: string;
  text: string;
  files: { path: string; content: string }[];
}

const BLOCK = /(?:<!-- file: (\S+) -->\n)?```(\w+)\n([\s\S]*?)^```$/gm;
const SLUG = /^pack: \{slug: ([\w-]+)/;

/** Needs Go, which a machine may lack: `go-pack.nightly-spec.ts` of pack-audit proves it where Go is installed. */
const OF_GO = 'go-stack';

/** Every fenced pack of the documentation, but for that of Go. A file shown below a pack lies beside it. */
export function guidePacks(): GuidePack[] {
  const docs = path.join(repository, 'docs');
  const pages = readdirSync(docs).filter((name) => name.endsWith('.md'));
  return [...pages.map((name) => path.join(docs, name)), path.join(repository, 'README.md')].flatMap((page) =>
    packsOf(readFileSync(page, 'utf8')),
  );
}

function packsOf(page: string): GuidePack[] {
  const packs: GuidePack[] = [];
  for (const [, file, , text = ''] of page.matchAll(BLOCK)) {
    const slug = SLUG.exec(text)?.[1];
    if (file !== undefined) packs.at(-1)?.files.push({ path: file, content: text });
    else if (slug !== undefined) packs.push({ slug, text, files: [] });
  }
  return packs.filter(({ slug }) => slug !== OF_GO);
}

/** Writes a pack and the files beside it into a folder of its own; resolves to the path of the pack. */
export function writePack(folder: string, { slug, text, files }: GuidePack): string {
  for (const file of [{ path: 'pack.yaml', content: text }, ...files]) {
    const target = path.join(folder, slug, file.path);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, file.content);
  }
  return path.join(folder, slug, 'pack.yaml');
}
