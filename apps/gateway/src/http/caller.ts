import type { Workspace } from '@agentclash/api';
import type { Role } from '@agentclash/domain';

/** A workspace that a person may use, with the role. */
interface Membership {
  workspace: Workspace;
  role: Role;
}

/** The sender of a request, identified by its token. */
export interface Caller {
  /** Null for the operator and for people with a token of their own issuer. */
  tokenId: string | null;
  /** Equal for all requests of one caller: the owner of rate limits and idempotency keys. */
  owner: string;
  name: string;
  role: Role | 'operator';
  /** Null for the operator, which belongs to none. */
  workspace: Workspace | null;
  /** All workspaces of a person; absent for a token, which has one. */
  memberships?: readonly Membership[];
  /** Of a link: the one run whose results it shows. */
  sharedRunId?: string;
  expiresAt: string | null;
  /** A key of 32 bytes that only this token's holder has; never stored. */
  privateKey: () => Buffer;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Absent where no token is required and none was sent. */
    caller?: Caller;
    /** The workspace of the path, when the caller may see it. */
    workspace?: Workspace;
  }
}
