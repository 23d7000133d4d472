import type { Role } from '@agentclash/domain';
import { newId } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';

export interface NewCode {
  sha256: string;
  tokenId: string;
  sessionSeconds: number;
  expiresAt: Date;
}

export interface OpenedSession {
  expiresAt: Date;
  role: Role;
  workspace: string;
}

@Injectable()
export class SessionsStore {
  constructor(private readonly db: Database) {}

  /** Also removes expired, unused codes. */
  async addCode(code: NewCode): Promise<void> {
    await this.db.signInCode.deleteMany({ where: { expiresAt: { lt: new Date() } } });
    await this.db.signInCode.create({ data: code });
  }

  /**
   * Uses the code up and adds the session's token, in one statement: of two concurrent uses, one opens a session.
   * A session belongs to the token at the root, and ends with it at the latest. Undefined where the code is not valid, or
   * its token no longer is.
   */
  async open(codeSha256: string, tokenSha256: string): Promise<OpenedSession | undefined> {
    const [opened] = await this.db.$queryRaw<OpenedSession[]>`
      WITH used AS (
        DELETE FROM sign_in_codes WHERE sha256 = ${codeSha256} AND expires_at > now()
        RETURNING token_id, session_seconds),
      added AS (
        INSERT INTO tokens (id, workspace_id, name, role, sha256, created_by, expires_at, session_of)
        SELECT ${newId()}::uuid, t.workspace_id, left('browser session of ' || t.name, 128), t.role, ${tokenSha256},
               t.name, least(t.expires_at, now() + used.session_seconds * interval '1 second'),
               coalesce(t.session_of, t.id)
          FROM used JOIN tokens t ON t.id = used.token_id
         WHERE t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > now())
        RETURNING workspace_id, expires_at, role)
      SELECT added.expires_at AS "expiresAt", added.role, w.slug AS workspace
        FROM added JOIN workspaces w ON w.id = added.workspace_id`;
    return opened;
  }

  /** Ends the session with this token; any other token stays. */
  async close(tokenId: string): Promise<void> {
    await this.db.token.updateMany({
      where: { id: tokenId, sessionOf: { not: null }, revokedAt: null },
      data: { revokedAt: new Date() },
    });
  }

  /** Removes sessions that ended before `moment`. */
  async removeEnded(moment: Date): Promise<void> {
    await this.db.token.deleteMany({
      where: { sessionOf: { not: null }, OR: [{ expiresAt: { lt: moment } }, { revokedAt: { lt: moment } }] },
    });
  }
}
