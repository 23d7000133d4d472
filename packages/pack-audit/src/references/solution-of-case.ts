import type { ArtifactRef } from '@agentclash/attempt-plan';
import { type Asset, SolutionError, solutionOf } from '@agentclash/challengepack';
import type { AuditedCase } from '../pack/audited-pack.js';
import type { PackView } from '../pack/pack-view.js';
import { BytesWanted } from './bytes-wanted.js';
import type { Solution } from './solution.js';

/** Of an answer that is the content of an asset. */
const ANSWER_BYTES_MAX = 16 * 1_048_576;

/**
 * The solution of a case; undefined without one. Its files that are assets stay references. Throws SolutionError, and
 * BytesWanted for an answer that is an asset without bytes in `bytes`.
 */
export function solutionOfCase(
  { manifest, artifacts }: PackView,
  { case: each }: AuditedCase,
  bytes: ReadonlyMap<string, Uint8Array>,
): Solution | undefined {
  const resolved = solutionOf(manifest, each);
  if (!resolved) return undefined;
  const { files, run, timeout_seconds, environment, steps, answer: output } = resolved;
  return {
    files: files.map(({ path, executable: isExecutable, ...content }) => ({
      ...{ path, isExecutable },
      content: 'content' in content ? Buffer.from(content.content) : refOf(content),
    })),
    timeoutSeconds: timeout_seconds,
    environment,
    ...(run !== undefined && { run }),
    ...(steps && { steps }),
    ...(output && { output: 'content' in output ? output.content : textOf(refOf(output)) }),
  };

  function refOf({ asset: { key, artifact_id: id = '' } }: { asset: Asset }): ArtifactRef {
    const ref = artifacts.get(id);
    if (ref) return ref;
    throw new SolutionError('unresolved', `the asset ${key} of a solution has no stored bytes`);
  }

  function textOf(ref: ArtifactRef): string {
    if (ref.bytes > ANSWER_BYTES_MAX) {
      throw new SolutionError(
        'too_long',
        `the answer of ${each.case_key} is larger than ${ANSWER_BYTES_MAX} bytes`,
      );
    }
    const known = bytes.get(ref.artifact_id);
    if (known === undefined) throw new BytesWanted([ref]);
    return Buffer.from(known).toString();
  }
}

/** True where the case or its challenge has a solution. */
export function hasSolution({ manifest }: Pick<PackView, 'manifest'>, { case: each }: AuditedCase): boolean {
  if (each.solution !== undefined) return true;
  return manifest.challenges.some(
    ({ key, solution }) => key === each.challenge_key && solution !== undefined,
  );
}
