import { randomBytes } from 'node:crypto';
import type { BrowserSession } from '@agentclash/api';
import { ContractError } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../http/caller.js';
import { newTokenText, tokenHash } from '../tokens/token-text.js';
import { SessionsStore } from './sessions.store.js';

/** Long enough to open a browser on another machine. */
const CODE_MS = 600_000;
/** Ended sessions are kept for this long. */
const RETENTION_MS = 24 * 3_600_000;

/** Signs browsers in without exposing a lasting token to them. */
@Injectable()
export class SessionsService {
  constructor(private readonly store: SessionsStore) {}

  /** Fails with `forbidden` for callers without a stored token: the operator, and people of an issuer. */
  async createCode({ tokenId }: Pick<Caller, 'tokenId'>, sessionHours: number) {
    if (tokenId === null) {
      throw new ContractError('forbidden', 'A sign-in code is made with a token of the workspace.');
    }
    const code = randomBytes(24).toString('base64url');
    const expiresAt = new Date(Date.now() + CODE_MS);
    await this.store.addCode({
      ...{ sha256: tokenHash(code), tokenId, expiresAt },
      sessionSeconds: sessionHours * 3_600,
    });
    return { code, expires_at: expiresAt.toISOString() };
  }

  /** Fails with `unauthenticated`, which does not reveal what happened to the code. */
  async open(code: string): Promise<BrowserSession> {
    const token = newTokenText();
    const opened = await this.store.open(tokenHash(code), tokenHash(token));
    if (opened === undefined) {
      throw new ContractError(
        'unauthenticated',
        'The sign-in code was used already, has expired or is unknown. `agentclash open` creates a new one.',
      );
    }
    await this.store.removeEnded(new Date(Date.now() - RETENTION_MS));
    const { expiresAt, workspace, role } = opened;
    return { token, expires_at: expiresAt.toISOString(), workspace, role };
  }

  async close({ tokenId }: Pick<Caller, 'tokenId'>): Promise<void> {
    if (tokenId !== null) await this.store.close(tokenId);
  }
}
