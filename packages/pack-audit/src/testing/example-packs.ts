import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readPack } from '@agentclash/challengepack';
import { localPack } from '@agentclash/local-attempts';
import type { AuditedPack } from '../pack/audited-pack.js';

const FOLDER = path.resolve(import.meta.dirname, '../../../../examples/challenge-packs');

/** The example packs whose cases are in their document. */
export function exampleNames(): string[] {
  const names = readdirSync(FOLDER).flatMap((file) => (file.endsWith('.yaml') ? [file.slice(0, -5)] : []));
  return names.filter((name) => name !== 'cases-from-files');
}

/** An example with its first case only. */
export async function examplePack(name: string): Promise<AuditedPack> {
  const beside = (file: string) => {
    const found = [path.join(FOLDER, name, file), path.join(FOLDER, file)].find((each) => existsSync(each));
    return found === undefined ? undefined : readFileSync(found);
  };
  const { pack, problems } = readPack(readFileSync(path.join(FOLDER, `${name}.yaml`)), {
    fileText: (file) => beside(file)?.toString(),
  });
  if (!pack) throw new Error(`${name}: ${problems.map(({ message }) => message).join('; ')}`);
  const audited = await localPack({ pack, digest: name, problems }, async (file) => beside(file));
  return { ...audited, cases: audited.cases.slice(0, 1) };
}
