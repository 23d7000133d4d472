import { timingSafeEqual } from 'node:crypto';
import { ContractError } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../http/caller.js';
import { People } from '../oidc/people.js';
import { ShareAccess } from '../shares/share-access.js';
import { bearerShare } from '../shares/share-token.js';
import { bearerJwt, bearerToken, privateKeyOf, tokenHash } from '../tokens/token-text.js';
import type { LiveToken } from '../tokens/tokens.store.js';
import { TokensStore } from '../tokens/tokens.store.js';

/** Resolution of a token's last use. */
const USE_RESOLUTION_MS = 60_000;
const TOKENS_MAX = 10_000;

/** The hash of the operator's token, if there is an operator. */
export class OperatorHash {
  constructor(private readonly sha256: string | undefined) {}

  matches(sha256: string): boolean {
    return this.sha256 !== undefined && timingSafeEqual(Buffer.from(this.sha256), Buffer.from(sha256));
  }
}

/** Identifies the caller by the `Authorization` header. */
@Injectable()
export class Authentication {
  /** Tokens whose use was noted less than a minute ago. */
  private readonly recentUses = new LRUCache<string, true>({ max: TOKENS_MAX, ttl: USE_RESOLUTION_MS });

  constructor(
    private readonly store: TokensStore,
    private readonly operatorSha256: OperatorHash,
    private readonly people: People,
    private readonly shares: ShareAccess,
  ) {}

  /** Fails with `unauthenticated`, which never reveals whether such a token exists, for a JWT as `People` does, and for a link as `ShareAccess`. */
  async caller(header: string | undefined): Promise<Caller> {
    const jwt = bearerJwt(header);
    if (jwt !== undefined) return await this.people.caller(jwt);
    const share = bearerShare(header);
    if (share !== undefined) return await this.shares.caller(share);
    const text = bearerToken(header);
    if (text === undefined) {
      const what = header === undefined ? 'Send' : 'That is not a token. Send';
      throw new ContractError('unauthenticated', `${what} "Authorization: Bearer ac_…".`);
    }
    const sha256 = tokenHash(text);
    const privateKey = () => privateKeyOf(text);
    if (this.operatorSha256.matches(sha256)) return { ...OPERATOR, privateKey };
    const found = await this.store.findLive(sha256);
    if (found === undefined || hasExpired(found)) {
      throw new ContractError('unauthenticated', 'The token is unknown, revoked or expired.');
    }
    const { token, workspace } = found;
    await this.recordUse(token.id);
    const { id: tokenId, name, role, expires_at: expiresAt } = token;
    return { tokenId, owner: tokenId, name, role, workspace, expiresAt, privateKey };
  }

  private async recordUse(tokenId: string): Promise<void> {
    if (this.recentUses.has(tokenId)) return;
    this.recentUses.set(tokenId, true);
    await this.store.recordUse(tokenId, new Date(Date.now() - USE_RESOLUTION_MS));
  }
}

const OPERATOR = {
  tokenId: null,
  owner: 'operator',
  name: 'operator',
  role: 'operator',
  workspace: null,
  expiresAt: null,
} as const satisfies Omit<Caller, 'privateKey'>;

function hasExpired({ token }: LiveToken): boolean {
  return token.expires_at !== null && Date.parse(token.expires_at) <= Date.now();
}
