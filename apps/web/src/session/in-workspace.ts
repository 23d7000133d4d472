import type { Whoami } from '@agentclash/api';

/** The identity in one of its workspaces, or the unchanged response where it is no member of that workspace. */
export function inWorkspace(whoami: Whoami, workspaceId: string | null): Whoami {
  const found = whoami.memberships?.find(({ workspace }) => workspace.id === workspaceId);
  return found === undefined ? whoami : { ...whoami, ...found };
}
