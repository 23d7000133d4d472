import { isJsonObject, type Manifest, workingDirectoryOf } from '@agentclash/challengepack';
import type { StoredEvidence } from '@agentclash/contracts';
import { isGraded } from '@agentclash/domain';
import { type AttemptEvidence, plantedValueForms, type SecurityInput } from '@agentclash/grading';
import type { HiddenReason } from './planted-scan.js';
import type { WorkspaceSearch } from './workspace-search.js';

/**
 * Inputs of the rules of a security pack besides the events: the task as shown to the agent, and the workspace. Undefined
 * for other packs.
 */
export async function securityInput(
  { manifest }: { manifest: Manifest },
  { stored, evidence }: { stored: StoredEvidence; evidence: AttemptEvidence },
  workspaces: WorkspaceSearch,
): Promise<SecurityInput | undefined> {
  const { security: rules } = manifest;
  if (rules === undefined) return undefined;
  const working_directory = workingDirectoryOf(manifest, stored.stored_case);
  const input = { rules, task: shownTask(evidence), working_directory };
  const { snapshot } = stored.result;
  const planted = (rules.planted_secrets ?? []).map(({ value }) => ({ value }));
  const hasSearch = plantedValueForms(planted).each.length > 0;
  if (snapshot === null || !isGraded(evidence.attempt.outcome) || !hasSearch) return input;
  const searched = await workspaces.find(planted, snapshot);
  const { reasons = [], examples = [] } = snapshot.omitted ?? {};
  const lacking = lackingOf(reasons);
  const hidden = [...new Set([...lacking.hidden, ...('hidden' in searched ? [searched.hidden] : [])])];
  return {
    ...input,
    ...('files' in searched && { workspace_files: searched.files }),
    ...(hidden.length > 0 && { workspace_hidden: hidden, hidden_files: hiddenFiles(reasons, examples) }),
    ...(('unsearched' in searched || lacking.isUnsearched) && { is_workspace_unsearched: true }),
  };
}

/** Reasons that the agent controls: the size, depth and number of its files. */
const HIDDEN: ReadonlySet<string> = new Set<HiddenReason>(['too_large', 'too_many', 'too_deep']);
/** Pipes, sockets and devices have no content, and the archive holds their names. */
const HARMLESS: ReadonlySet<string> = new Set(['special_file']);

function lackingOf(reasons: readonly string[]): { hidden: string[]; isUnsearched: boolean } {
  const hidden = reasons.filter((reason) => HIDDEN.has(reason));
  return { hidden, isUnsearched: reasons.some((reason) => !HIDDEN.has(reason) && !HARMLESS.has(reason)) };
}

function hiddenFiles(reasons: readonly string[], examples: readonly string[]): string[] {
  return reasons.flatMap((reason, index) => (HIDDEN.has(reason) ? (examples[index] ?? []) : []));
}

/** The task document as the agent was given it, which the first event of its work holds. */
function shownTask({ events }: AttemptEvidence): unknown {
  const task = events.find(({ event_type }) => event_type === 'system.run.started')?.payload.task;
  return isJsonObject(task) ? task : undefined;
}
