import type { Token, Workspace } from '@agentclash/api';
import type { Page } from '@agentclash/contracts';
import type { Role } from '@agentclash/domain';
import { decodeIdCursor, newId, pageOf } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';
import type { Token as TokenRow } from '../generated/client.js';
import { asWorkspace } from '../workspaces/workspaces.store.js';

export interface NewTokenRow {
  workspaceId: string;
  name: string;
  role: Role;
  sha256: string;
  createdBy: string;
  expiresAt: Date | null;
}

/** A token that is not revoked, with its workspace; it may have expired. */
export interface LiveToken {
  token: Token;
  workspace: Workspace;
}

/** `last_admin`: it is the only admin token of its workspace that does not expire, and stays. */
type Revocation = 'revoked' | 'unknown' | 'last_admin';

interface LiveRow extends TokenRow {
  slug: string;
  workspaceName: string;
  workspaceSince: Date;
}

/** The creator of the tokens of CI jobs. */
export const EXCHANGE = 'token-exchange';

@Injectable()
export class TokensStore {
  constructor(private readonly db: Database) {}

  /** One statement: it is part of every request. */
  async findLive(sha256: string): Promise<LiveToken | undefined> {
    const [row] = await this.db.$queryRaw<LiveRow[]>`
      SELECT t.id, t.workspace_id AS "workspaceId", t.name, t.role, t.sha256, t.created_at AS "createdAt",
             t.created_by AS "createdBy", t.expires_at AS "expiresAt", t.revoked_at AS "revokedAt",
             t.last_used_at AS "lastUsedAt", t.session_of AS "sessionOf", w.slug, w.name AS "workspaceName", w.created_at AS "workspaceSince"
        FROM tokens t JOIN workspaces w ON w.id = t.workspace_id
       WHERE t.sha256 = ${sha256} AND t.revoked_at IS NULL`;
    if (row === undefined) return undefined;
    const { workspaceId: id, slug, workspaceName: name, workspaceSince: createdAt } = row;
    return { token: asToken(row), workspace: asWorkspace({ id, slug, name, createdAt }) };
  }

  /** Stores the use, unless one was stored after `since`. */
  async recordUse(id: string, since: Date): Promise<void> {
    await this.db.token.updateMany({
      where: { id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lt: since } }] },
      data: { lastUsedAt: new Date() },
    });
  }

  async create(token: NewTokenRow): Promise<Token> {
    return asToken(await this.db.token.create({ data: { id: newId(), ...token } }));
  }

  /** Creates the token unless its hash exists already, also as revoked. */
  async ensure(token: NewTokenRow): Promise<void> {
    await this.db.token.createMany({ data: [{ id: newId(), ...token }], skipDuplicates: true });
  }

  async find(workspaceId: string, id: string): Promise<Token | undefined> {
    const row = await this.db.token.findFirst({ where: { workspaceId, id, revokedAt: null } });
    return row === null ? undefined : asToken(row);
  }

  /** Newest first, without the revoked. */
  async list(workspaceId: string, limit: number, cursor?: string): Promise<Page<Token>> {
    const before = decodeIdCursor(cursor);
    const rows = await this.db.token.findMany({
      where: { workspaceId, revokedAt: null, ...(before !== undefined && { id: { lt: before } }) },
      orderBy: { id: 'desc' },
      take: limit + 1,
    });
    return pageOf(rows, limit, { item: asToken, sortKey: (row) => row.id });
  }

  /** Deletes tokens that were created for CI jobs and expired before `moment`; the others stay, for their history. */
  async deleteExpiredExchanges(moment: Date): Promise<void> {
    await this.db.token.deleteMany({ where: { createdBy: EXCHANGE, expiresAt: { lt: moment } } });
  }

  /** Also revokes the browser sessions that it opened. */
  async revoke(workspaceId: string, id: string): Promise<Revocation> {
    return await this.db.$transaction(async (tx) => {
      // Of two revocations at once, each would leave the token of the other.
      await tx.$queryRaw`SELECT 1 FROM workspaces WHERE id = ${workspaceId}::uuid FOR NO KEY UPDATE`;
      const admins = await tx.token.findMany({
        where: { workspaceId, role: 'admin', expiresAt: null, revokedAt: null },
        select: { id: true },
        take: 2,
      });
      if (admins.length === 1 && admins[0]?.id === id) return 'last_admin';
      const { count } = await tx.token.updateMany({
        where: { workspaceId, OR: [{ id }, { sessionOf: id }], revokedAt: null },
        data: { revokedAt: new Date() },
      });
      return count > 0 ? 'revoked' : 'unknown';
    });
  }
}

function asToken(row: TokenRow): Token {
  return {
    id: row.id,
    name: row.name,
    role: row.role as Role,
    created_at: row.createdAt.toISOString(),
    created_by: row.createdBy,
    expires_at: row.expiresAt?.toISOString() ?? null,
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
  };
}
