import { createHash } from 'node:crypto';
import { type Route } from '@agentclash/api';
import { ContractError } from '@agentclash/contracts';
import { ROLES } from '@agentclash/domain';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../http/caller.js';
import { routeOf } from '../http/route-table.js';
import { ShareAccess } from '../shares/share-access.js';
import { WorkspacesService } from '../workspaces/workspaces.service.js';
import { Authentication } from './authentication.js';
import { RateLimited, RateLimits } from './rate-limits.js';
import { RunNumbers } from './run-numbers.js';

const ACCEPTED_MAX = 20_000;

/**
 * Admits a request to its route by its headers, before a byte of its body is read: a valid token, within its rate, for
 * a workspace that it may see, with a sufficient role.
 */
@Injectable()
export class AccessControl {
  /** Hashes of `Authorization` headers that were valid lately. */
  private readonly accepted = new LRUCache<string, true>({ max: ACCEPTED_MAX });

  constructor(
    private readonly authentication: Authentication,
    private readonly rateLimits: RateLimits,
    private readonly workspaces: WorkspacesService,
    private readonly shares: ShareAccess,
    private readonly runNumbers: RunNumbers,
  ) {}

  /** Fails with `unauthenticated`, `forbidden`, `not_found` or `rate_limited`. */
  async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const route = routeOf(request);
    if (route === undefined) return;
    const limit = (owner: string) => this.limit(reply, () => this.rateLimits.take(owner, route));
    if (route.access === 'public') {
      // Without a token a request is counted by its address.
      if (route.method !== 'GET') limit(`address:${request.ip}`);
      return;
    }
    // The signature in the URL replaces a token; the controller checks it.
    if (route.access === 'signed' && request.headers.authorization === undefined) return;
    request.caller = await this.authenticate(request, reply);
    // A link is everyone's who has it: its requests are counted by address, as those without a token.
    limit(request.caller.sharedRunId === undefined ? request.caller.owner : `address:${request.ip}`);
    await this.authorize(route, request as FastifyRequest & { caller: Caller });
    await this.runNumbers.resolve(request);
  }

  /** True when the caller of an admitted request would still be admitted. */
  async isStillAdmitted(request: FastifyRequest): Promise<boolean> {
    const route = routeOf(request);
    if (route === undefined) return true;
    try {
      const caller = await this.authentication.caller(request.headers.authorization);
      await this.authorize(route, { params: request.params, query: request.query, caller });
      return true;
    } catch (error) {
      // An unavailable dependency is no reason against the caller.
      return !(error instanceof ContractError) || !DENYING_CODES.has(error.code);
    }
  }

  private async authenticate(request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
    const { authorization } = request.headers;
    const hash = createHash('sha256')
      .update(authorization ?? '')
      .digest('base64url');
    // Invalid tokens from the same address do not limit a valid one.
    if (!this.accepted.has(hash)) {
      this.limit(reply, () => this.rateLimits.checkInvalidTokens(request.ip));
    }
    try {
      const caller = await this.authentication.caller(authorization);
      this.accepted.set(hash, true);
      return caller;
    } catch (error) {
      // `not_found`: a link that is not valid.
      if (error instanceof ContractError && INVALID_CODES.has(error.code)) {
        this.accepted.delete(hash);
        this.rateLimits.countInvalidToken(request.ip);
      }
      throw error;
    }
  }

  private async authorize(
    route: Route,
    request: Pick<FastifyRequest, 'params' | 'query' | 'caller' | 'workspace'> & { caller: Caller },
  ): Promise<void> {
    const { ws } = request.params as { ws?: string };
    if (ws !== undefined) {
      const { workspace, role } = await this.workspaces.visible(ws, request.caller);
      request.workspace = workspace;
      request.caller = { ...request.caller, role };
    }
    checkPermission(route, request.caller);
    const { sharedRunId, workspace } = request.caller;
    if (sharedRunId === undefined || workspace === null) return;
    const { params, query } = request;
    await this.shares.check(route, { params, query, workspaceId: workspace.id }, sharedRunId);
  }

  private limit(reply: FastifyReply, take: () => Record<string, string>): void {
    try {
      reply.headers(take());
    } catch (error) {
      if (error instanceof RateLimited) reply.headers(error.headers);
      throw error;
    }
  }
}

const INVALID_CODES: ReadonlySet<string> = new Set(['unauthenticated', 'not_found']);
const DENYING_CODES: ReadonlySet<string> = new Set(['unauthenticated', 'forbidden', 'not_found']);

/** Fails with `forbidden` when the caller's role is too low for the route. */
export function checkPermission(route: Route, { role }: Pick<Caller, 'role'>): void {
  const { access } = route;
  if (access === 'public' || access === 'any_token') return;
  const needed = access === 'signed' ? 'viewer' : access;
  if (role === 'operator') {
    if (needed === 'operator' || route.operatorMay) return;
    throw new ContractError(
      'forbidden',
      'The operator makes workspaces and tokens; use a token of the workspace.',
    );
  }
  if (needed !== 'operator' && ROLES.indexOf(role) >= ROLES.indexOf(needed)) return;
  throw new ContractError('forbidden', `This needs the role "${needed}"; the token has "${role}".`);
}
