import { executionModeOf } from '@agentclash/challengepack';
import { type AuditAgent, replyAgent } from '../agents/agent.js';
import type { AuditedCase, AuditedPack } from '../pack/audited-pack.js';
import type { PackView } from '../pack/pack-view.js';
import { type GraderFacts, graderFacts } from './grader-facts.js';
import { quoted, type Solution } from './solution.js';

/** Does nothing. */
export const IDLE: AuditAgent = { kind: 'steps', steps: [] };

/** Replies with the task that it is given. */
export function echoAgent({ case: each }: AuditedCase, { manifest }: PackView): AuditAgent {
  const challenge = manifest.challenges.find(({ key }) => key === each.challenge_key);
  const payload = Object.values(each.payload).filter((value) => typeof value === 'string');
  const inputs = (each.inputs ?? []).flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
  const text = [challenge?.instructions ?? challenge?.title ?? '', ...payload, ...inputs].join('\n\n');
  return replyAgent(text, executionModeOf(manifest, each));
}

/**
 * Writes an empty file wherever a file is looked for, and changes nothing that is there: what it gains needs no work.
 * Undefined where no file is looked for.
 */
export function blankAgent(
  each: AuditedCase,
  pack: PackView & Pick<AuditedPack, 'spec'>,
  solution: Solution | undefined,
): AuditAgent | undefined {
  if (executionModeOf(pack.manifest, each.case) !== 'native') return undefined;
  const paths = soughtPaths(graderFacts(pack, each), solution);
  if (paths.length === 0) return undefined;
  const lines = paths.map((path) => {
    const target = quoted(path);
    return `[ -e ${target} ] || { mkdir -p "$(dirname -- ${target})" && : > ${target}; }`;
  });
  return { kind: 'program', command: ['sh', '-c', `${lines.join('\n')}\ntrue`] };
}

/** The files that graders read or that a solution writes; no patterns, no folders. */
export function soughtPaths(
  { capturedPaths }: Pick<GraderFacts, 'capturedPaths'>,
  solution?: Solution,
): string[] {
  const written = solution?.files.map(({ path }) => path) ?? [];
  const plain = [...capturedPaths, ...written].filter((path) => !/[*?[\]{}]|\/$/.test(path));
  return [...new Set(plain)];
}
