import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

export const TOOL_NAMES = ['inside', 'launcher'] as const;
type ToolName = (typeof TOOL_NAMES)[number];

export const COMPILER_FLAGS = [
  ...['-std=gnu17', '-Os', '-s', '-Wall', '-Wextra'],
  // The first process of a sandbox reads what hostile commands write.
  ...['-static-pie', '-fPIE', '-fstack-protector-strong', '-U_FORTIFY_SOURCE', '-D_FORTIFY_SOURCE=2'],
];

const SHARED_BY_LAUNCHER = ['wire.c'];

/** The C sources of the programs that run outside of Node.js. */
export interface NativeSources {
  directory: string;
  /** SHA-256 of all names and contents, as hex. */
  digest: string;
  /** The files to compile, by program. */
  filesOf: Record<ToolName, string[]>;
}

export async function readNativeSources(): Promise<NativeSources> {
  const directory = path.resolve(import.meta.dirname, '../../native');
  const names = (await readdir(directory)).filter((name) => /\.[ch]$/.test(name)).sort();
  const hash = createHash('sha256');
  for (const name of names) hash.update(name).update(await readFile(path.join(directory, name)));
  const isLauncher = (name: string) => name.startsWith('launcher');
  const files = names.filter((name) => name.endsWith('.c'));
  return {
    directory,
    digest: hash.digest('hex'),
    filesOf: {
      inside: files.filter((name) => !isLauncher(name)),
      launcher: [...files.filter(isLauncher), ...SHARED_BY_LAUNCHER],
    },
  };
}

export const PREBUILT_DIRECTORY = path.resolve(import.meta.dirname, '../../prebuilt');

/** The programs of one platform, by their digests: SHA-256 as hex. */
const PrebuiltProgram = z.strictObject({
  inside: z.string(),
  launcher: z.string(),
  /** The tools that built them: the same tools build the same bytes. */
  toolchain: z.record(z.string(), z.string()),
});
export type PrebuiltProgram = z.infer<typeof PrebuiltProgram>;

/** Written by `pnpm sandbox:prebuild`. */
export const PrebuiltManifest = z.strictObject({
  /** `NativeSources.digest` of the sources that the programs were built from. */
  sources: z.string(),
  programs: z.record(z.string(), PrebuiltProgram),
});
export type PrebuiltManifest = z.infer<typeof PrebuiltManifest>;

/** This machine's, as in the manifest and the folder names. */
export const PLATFORM = `${process.platform}-${process.arch}`;

/** Their bytes match the digests of the manifest. */
export interface CheckedTools {
  contents: Record<ToolName, Buffer>;
  digests: Record<ToolName, string>;
}

export type PrebuiltTools =
  | CheckedTools
  /** Why there is none that may be used here. */
  | { problem: string };

/** The programs that ship with this package, if they are those of these sources and of this machine. */
export async function readPrebuiltTools(
  sourcesDigest: string,
  {
    directory = PREBUILT_DIRECTORY,
    platform = PLATFORM,
  }: { directory?: string | undefined; platform?: string | undefined },
): Promise<PrebuiltTools> {
  try {
    const text = await readFile(path.join(directory, 'manifest.json'), 'utf8');
    const manifest = PrebuiltManifest.parse(JSON.parse(text));
    const programs = manifest.programs[platform];
    if (programs === undefined) return { problem: `there are no prebuilt sandbox tools for ${platform}` };
    if (manifest.sources !== sourcesDigest) {
      return { problem: 'the prebuilt sandbox tools were built from other sources' };
    }
    const { toolchain: _, ...digests } = programs;
    const contents = {} as Record<ToolName, Buffer>;
    for (const name of TOOL_NAMES) {
      contents[name] = await readFile(path.join(directory, platform, name));
      if (digestOf(contents[name]) !== digests[name]) {
        return { problem: `the prebuilt sandbox tool ${name} does not match its digest` };
      }
    }
    return { contents, digests };
  } catch (error) {
    return { problem: `the prebuilt sandbox tools cannot be read (${(error as Error).message})` };
  }
}

export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
