import type { Role, Workspace } from '@agentclash/api';

/** Whoever sent a request, as the token says. */
export interface Caller {
  /** Null for the operator. */
  tokenId: string | null;
  name: string;
  role: Role | 'operator';
  /** Null for the operator, who belongs to none. */
  workspace: Workspace | null;
  expiresAt: string | null;
  /** A key of 32 bytes that only this token's holder has; never stored. */
  privateKey: () => Buffer;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; absent where no token is needed and none was sent. */
    caller?: Caller;
    /** The workspace of the path, when the caller may see it. */
    workspace?: Workspace;
  }
}
