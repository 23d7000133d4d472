import type { Client, Whoami } from '@agentclash/api';
import type { Role } from '@agentclash/domain';
import { createContext, useContext } from 'react';

/** The signed-in identity and its client. */
export interface Session {
  client: Client;
  whoami: Whoami;
  /** Switches to another workspace. */
  enter: (workspaceId: string) => void;
  signOut: () => void;
}

export const SessionContext = createContext<Session | null>(null);

/** Of the signed-in part of the page only. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('there is no session here');
  return session;
}

const RANK: Record<Whoami['role'], number> = { viewer: 0, member: 1, admin: 2, operator: -1 };

/** True when the token may do what needs the role. The operator works on no workspace's contents. */
export function useMay(role: Role): boolean {
  return RANK[useSession().whoami.role] >= RANK[role];
}

/** True for a visitor of a link to a run, who sees that run and nothing else of its workspace. */
export function useIsShared(): boolean {
  return useSession().whoami.shared_run_id !== undefined;
}

/** The identity in one of its workspaces, or the unchanged response where it is no member of that workspace. */
export function inWorkspace(whoami: Whoami, workspaceId: string | null): Whoami {
  const found = whoami.memberships?.find(({ workspace }) => workspace.id === workspaceId);
  return found === undefined ? whoami : { ...whoami, ...found };
}
