import type { ArtifactRef, ScriptStep } from '@agentclash/attempt-plan';
import { executionModeOf } from '@agentclash/challengepack';
import { type AuditAgent, type ProgramFile, replyAgent } from '../agents/agent.js';
import type { AuditedCase } from '../pack/audited-pack.js';
import type { PackView } from '../pack/pack-view.js';

interface SolutionFile {
  /** Relative to the working directory, or absolute. */
  path: string;
  /** A reference for what an asset holds. */
  content: Uint8Array | ArtifactRef;
  isExecutable: boolean;
}

/** The solution of one case with the bytes of its files; either steps, or files, command and output. */
export interface Solution {
  files: readonly SolutionFile[];
  run?: string;
  timeoutSeconds: number;
  environment: Readonly<Record<string, string>>;
  steps?: readonly ScriptStep[];
  /** The final output. */
  output?: string;
}

const STAGED = '/agent/solution';

/**
 * The agent that plays a solution. Files are put in place by a program, so that the tools of the pack do not matter; a
 * case without a sandbox, and a conversation, have steps.
 */
export function oracleAgent(solution: Solution, { case: each }: AuditedCase, pack: PackView): AuditAgent {
  const { steps, output, files, run } = solution;
  if (steps) return { kind: 'steps', steps };
  const mode = executionModeOf(pack.manifest, each);
  const isPlain = files.length === 0 && run === undefined;
  if (isPlain) return replyAgent(output ?? '', mode);
  return {
    kind: 'program',
    command: ['sh', '/agent/solve.sh'],
    files: programFiles(solution),
    env: solution.environment,
    timeoutSeconds: solution.timeoutSeconds,
  };
}

function programFiles({ files, run, output }: Solution): ProgramFile[] {
  const placed = files.map(({ path, isExecutable }, index) => {
    const target = quoted(path);
    const mode = isExecutable ? '755' : '644';
    return [
      `mkdir -p "$(dirname -- ${target})"`,
      `cp -- ${STAGED}/${index} ${target}`,
      `chmod ${mode} ${target}`,
    ].join('\n');
  });
  const lines = [
    'set -e',
    ...placed,
    ...(run === undefined ? [] : [`sh -c ${quoted(run)}`]),
    ...(output === undefined ? [] : [`cat ${STAGED}/output > "$AGENTCLASH_OUTPUT"`]),
  ];
  return [
    { path: 'solve.sh', content: `${lines.join('\n')}\n` },
    ...files.map(({ content }, index) => ({ path: `solution/${index}`, content })),
    ...(output === undefined ? [] : [{ path: 'solution/output', content: output }]),
  ];
}

/** A word of a shell command. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
