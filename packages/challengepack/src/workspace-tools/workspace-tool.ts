import type { WorkspaceToolDefinition, WorkspaceToolKind } from '@agentclash/domain';
import type { JsonObject, JsonValue } from '../json.js';

/** A tool resource of a workspace, as far as publishing-like checks read it. */
export interface WorkspaceToolDraft {
  name: string;
  tool_kind: WorkspaceToolKind;
  definition: WorkspaceToolDefinition;
}

/** One handing-on of a tool to a primitive or another tool. */
export interface HandingOn {
  to: string;
  args: JsonObject;
  /** The positions of the arguments and the name, as fields of the tool. */
  argsAt: string;
  nameAt: string;
}

/** The tools that a tool delegates to, in order; nothing for a mock. */
export function delegations({ tool_kind, definition }: WorkspaceToolDraft): HandingOn[] {
  if (tool_kind === 'composed') {
    return (definition.steps ?? []).map(({ ref, inputs }, index) => ({
      to: ref.name,
      args: inputs,
      argsAt: `definition.steps.${index}.inputs`,
      nameAt: `definition.steps.${index}.ref.name`,
    }));
  }
  const { implementation } = definition;
  if (implementation?.mode !== 'delegate') return [];
  const at = 'definition.implementation';
  return [
    {
      to: implementation.primitive,
      args: implementation.args,
      argsAt: `${at}.args`,
      nameAt: `${at}.primitive`,
    },
  ];
}

const LEVELS_MAX = 64;

/** True when a value nests further than any tool needs; found without descending further than that. */
export function isNestedTooDeeply(value: JsonValue): boolean {
  let level: JsonValue[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > LEVELS_MAX) return true;
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return false;
}
