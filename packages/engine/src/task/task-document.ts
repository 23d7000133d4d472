import type { PlannedCase, PlannedChallenge } from '@agentclash/attempt-plan';
import { type JsonObject, renderTemplate, templateContext } from '@agentclash/challengepack';
import type { AgentTool, AttemptLimits, TaskDocument } from '@agentclash/domain';

export interface TaskSources {
  challenge: PlannedChallenge;
  case: PlannedCase;
  /** Staged files; planted ones are never named. */
  files: readonly { path: string; bytes: number; planted?: boolean }[];
  tools: readonly AgentTool[];
  limits: Partial<AttemptLimits>;
  output_schema?: JsonObject;
}

/** Builds the task of an explicit list of members; no other part of a plan can enter it. */
export function buildTask(sources: TaskSources): TaskDocument {
  const { challenge, files, tools, limits, output_schema } = sources;
  const { payload, inputs } = sources.case;
  return {
    schema: 'agentclash.task/1',
    title: challenge.title,
    instructions: fillFromCase(challenge.instructions ?? '', sources.case),
    payload,
    inputs: inputs.map(({ key, kind, value, path, file }) => ({
      key,
      kind,
      ...(value !== undefined && value !== null && { value }),
      ...(path !== undefined && { path }),
      ...(file !== undefined && { file }),
    })),
    files: files
      .filter((file) => !file.planted)
      .map(({ path, bytes }) => ({ path, bytes }))
      .sort((a, b) => (a.path < b.path ? -1 : 1)),
    tools: tools.map(({ name, description, parameters }) => ({
      name,
      ...(description !== undefined && { description }),
      parameters,
    })),
    limits: Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== null)),
    ...(output_schema && Object.keys(output_schema).length > 0 && { output_schema }),
  };
}

/** Fills `{{…}}` from the payload overlaid by the inputs; unknown tokens stay as they are written. */
export function fillFromCase(text: string, { payload, inputs }: PlannedCase): string {
  return renderTemplate(text, templateContext(payload, inputs), 'lenient');
}
