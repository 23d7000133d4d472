import type { ArtifactRef, PlannedAgent, ScriptStep } from '@agentclash/attempt-plan';
import type { ExecutionMode } from '@agentclash/domain';

/** A file of a program; `path` is relative to its folder `/agent`. */
export interface ProgramFile {
  path: string;
  content: string | Uint8Array | ArtifactRef;
}

/**
 * The behavior of an agent in one trial. Steps run in every mode, and are the only ones in `prompt_eval`; a program is a
 * command in the sandbox, with a shell and all rights of an agent, whatever tools the pack allows.
 */
export type AuditAgent =
  | { kind: 'steps'; steps: readonly ScriptStep[] }
  | {
      kind: 'program';
      command: readonly string[];
      files?: readonly ProgramFile[];
      env?: Readonly<Record<string, string>>;
      /** Of the whole attempt; default: that of the pack's limits. */
      timeoutSeconds?: number;
    };

/** Turns of a conversation have the same message; more of them than a conversation has are not played. */
const TURNS = 50;

/** Replies with a text, and does nothing else. */
export function replyAgent(text: string, mode: ExecutionMode): AuditAgent {
  if (mode !== 'multi_turn') return { kind: 'steps', steps: [{ answer: text }] };
  return { kind: 'steps', steps: Array.from({ length: TURNS }, () => ({ message: text })) };
}

/** The agent as a plan has it. `store` keeps the bytes of its files. */
export function plannedAgent(agent: AuditAgent, store: (bytes: Uint8Array) => ArtifactRef): PlannedAgent {
  if (agent.kind === 'steps') return { kind: 'scripted', config: { steps: [...agent.steps] } };
  const { command, files = [], env } = agent;
  const refOf = (content: ProgramFile['content']) => {
    if (typeof content === 'string') return store(Buffer.from(content));
    return content instanceof Uint8Array ? store(content) : content;
  };
  return {
    kind: 'program',
    config: {
      command: [...command],
      files: files.map(({ path, content }) => ({ path, artifact: refOf(content) })),
      ...(env && { env: { ...env } }),
    },
  };
}
