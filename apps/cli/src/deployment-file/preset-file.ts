import { membersAt } from '@agentclash/api';
import { nearestName } from '@agentclash/challengepack';
import type { Problem } from '../yaml/problem-line.js';
import { type FieldPath, YamlFile } from '../yaml/yaml-file.js';
import { problemsOf } from './issues.js';
import { inOrder } from './read.js';

type Preset = import('@agentclash/agent-presets').Preset;

/** A preset of a file of its own, or its problems by line and column. */
export async function readPresetFile(text: string): Promise<{ preset: Preset } | { problems: Problem[] }> {
  const { placeholderProblems, presetSchema } = await import('@agentclash/agent-presets/schema');
  const file = new YamlFile(text);
  if (file.problems.length > 0) return { problems: [...file.problems] };
  const schema = presetSchema.superRefine((preset, refused) => {
    for (const problem of placeholderProblems(preset)) refused.addIssue({ code: 'custom', ...problem });
  });
  const parsed = schema.safeParse(file.value);
  if (parsed.success) return { preset: parsed.data };
  const known = (path: FieldPath) => membersAt(presetSchema, path);
  const authored = (path: FieldPath) => path;
  const context = { file, base: [], authored, known, nearest: nearestName };
  return { problems: inOrder(problemsOf(parsed, context)) };
}
