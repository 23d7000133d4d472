import { type ResolvedSolution, type SolutionContent, solutionOf } from '@agentclash/challengepack';
import type { AuditedCase, AuditedPack } from '../pack/audited-pack.js';
import type { Solution } from './solution.js';

/**
 * The solutions of cases with the bytes of their files; cases without one have no entry. Rejects where a stored version
 * has one that cannot be read.
 */
export async function readSolutions(
  cases: readonly AuditedCase[],
  pack: AuditedPack,
  signal: AbortSignal,
): Promise<Map<AuditedCase, Solution>> {
  const solutions = new Map<AuditedCase, Solution>();
  for (const each of cases) {
    const resolved = solutionOf(pack.manifest, each.case);
    if (resolved) solutions.set(each, await readSolution(resolved, pack, signal));
  }
  return solutions;
}

async function readSolution(
  { files, run, timeout_seconds, environment, steps, answer: output }: ResolvedSolution,
  pack: AuditedPack,
  signal: AbortSignal,
): Promise<Solution> {
  const read = (content: SolutionContent) => bytesOf(content, pack, signal);
  const placed = files.map(async ({ path, executable: isExecutable, ...content }) => ({
    path,
    isExecutable,
    content: await read(content),
  }));
  return {
    files: await Promise.all(placed),
    timeoutSeconds: timeout_seconds,
    environment,
    ...(run !== undefined && { run }),
    ...(steps && { steps }),
    ...(output && { output: Buffer.from(await read(output)).toString() }),
  };
}

async function bytesOf(
  content: SolutionContent,
  pack: AuditedPack,
  signal: AbortSignal,
): Promise<Uint8Array> {
  if ('content' in content) return Buffer.from(content.content);
  const { key, artifact_id: id } = content.asset;
  const ref = id === undefined ? undefined : pack.artifactOf(id);
  if (ref) return await pack.artifacts.read(ref, signal);
  throw new Error(`the asset ${key} of a solution has no stored bytes`);
}
