import type { Token, Workspace } from '@agentclash/api';
import { ContractError, type Page } from '@agentclash/contracts';
import type { Role } from '@agentclash/domain';
import { Injectable } from '@nestjs/common';
import { newTokenText, tokenHash } from './token-text.js';
import { TokensStore } from './tokens.store.js';

export interface TokenRequest {
  workspace: Workspace;
  name: string;
  role: Role;
  expiresAt?: string | undefined;
  /** The name of the caller. */
  actor: string;
}

const LAST_ADMIN = [
  'It is the last admin token of the workspace that does not expire, so that it stays.',
  'Create another one first (agentclash token create <name> --role admin), then revoke this one with it.',
].join(' ');

@Injectable()
export class TokensService {
  constructor(private readonly store: TokensStore) {}

  async list(workspaceId: string, limit: number, cursor?: string): Promise<Page<Token>> {
    return await this.store.list(workspaceId, limit, cursor);
  }

  /** Fails with `not_found`, also for one that is revoked. */
  async get(workspaceId: string, tokenId: string): Promise<Token> {
    const token = await this.store.find(workspaceId, tokenId);
    if (token) return token;
    throw new ContractError('not_found', 'There is no such token.');
  }

  /** The only response that contains the token's text. */
  async create({
    workspace,
    name,
    role,
    expiresAt,
    actor,
  }: TokenRequest): Promise<Token & { token: string }> {
    const expiry = expiresAt === undefined ? null : new Date(expiresAt);
    if (expiry !== null && expiry.getTime() <= Date.now()) {
      throw new ContractError('invalid_input', 'The token would have expired already.', {
        errors: [{ code: 'in_the_past', field: 'expires_at', message: 'must be in the future' }],
      });
    }
    const text = newTokenText();
    const token = await this.store.create({
      workspaceId: workspace.id,
      name,
      role,
      sha256: tokenHash(text),
      createdBy: actor,
      expiresAt: expiry,
    });
    return { ...token, token: text };
  }

  /** Fails with `not_found`, and with `conflict` for the last admin token, which alone makes others. */
  async revoke(workspaceId: string, tokenId: string): Promise<void> {
    const revocation = await this.store.revoke(workspaceId, tokenId);
    if (revocation === 'unknown') throw new ContractError('not_found', 'There is no such token.');
    if (revocation === 'last_admin') throw new ContractError('conflict', LAST_ADMIN);
  }
}
