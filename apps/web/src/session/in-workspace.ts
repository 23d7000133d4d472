import type { Whoami } from '@agentclash/api';

/** Whoever it is, as they are in a workspace of theirs; as the server says by itself where it is none of theirs. */
export function inWorkspace(whoami: Whoami, workspaceId: string | null): Whoami {
  const found = whoami.memberships?.find(({ workspace }) => workspace.id === workspaceId);
  return found === undefined ? whoami : { ...whoami, ...found };
}
