import type { Route } from '@agentclash/api';
import { Bus } from '@agentclash/bus';
import { attempts, ContractError, runs, Uuid } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../http/caller.js';
import { privateKeyOf, tokenHash } from '../tokens/token-text.js';
import { SHARED_ROUTES } from './shared-routes.js';
import { SharesStore } from './shares.store.js';

const USE_RESOLUTION_MS = 60_000;
const KNOWN_MAX = 50_000;

/** The same for a link that expired, was revoked or never existed. */
const ENDED = 'This link is not valid: it has expired, was revoked, or never existed.';

/** Identifies requests by a link to a run, and restricts them to the results of that run. */
@Injectable()
export class ShareAccess {
  private readonly recentUses = new LRUCache<string, true>({ max: KNOWN_MAX, ttl: USE_RESOLUTION_MS });
  /** The run of an attempt or a run agent, which never changes. */
  private readonly runs = new LRUCache<string, string>({ max: KNOWN_MAX });

  constructor(
    private readonly store: SharesStore,
    private readonly bus: Bus,
  ) {}

  /** Fails with `not_found`. */
  async caller(token: string): Promise<Caller> {
    const share = await this.store.findLive(tokenHash(token));
    if (share === undefined) throw new ContractError('not_found', ENDED);
    const { id, run_id, workspaceId, created_at, expires_at } = share;
    if (!this.recentUses.has(id)) {
      this.recentUses.set(id, true);
      await this.store.recordUse(id, new Date(Date.now() - USE_RESOLUTION_MS));
    }
    return {
      tokenId: null,
      owner: `share:${id}`,
      name: 'link to a run',
      role: 'viewer',
      // Nothing of the workspace but its id, by which the API addresses the run.
      workspace: { id: workspaceId, slug: 'shared', name: 'Shared run', created_at },
      sharedRunId: run_id,
      expiresAt: expires_at,
      privateKey: () => privateKeyOf(token),
    };
  }

  /** Fails with `not_found` unless the request reads results of this run. */
  async check(
    route: Route,
    { params, query, workspaceId }: Pick<FastifyRequest, 'params' | 'query'> & { workspaceId: string },
    sharedRunId: string,
  ): Promise<void> {
    const { run_id, attempt_id, run_agent_id } = params as Record<string, string | undefined>;
    const { baseline, candidate } = query as Record<string, string | undefined>;
    const of = { workspace_id: workspaceId };
    const isShared = async (): Promise<boolean> => {
      switch (SHARED_ROUTES.get(route)) {
        case undefined:
          return false;
        case 'nothing':
          return true;
        case 'run':
          return run_id === sharedRunId;
        case 'compared':
          return baseline === sharedRunId && candidate === sharedRunId;
        case 'attempt': {
          const id = attempt_id ?? '';
          const read = () => this.bus.call(attempts.get, { ...of, attempt_id: id });
          return (await this.runOf(id, read)) === sharedRunId;
        }
        case 'run_agent': {
          const id = run_agent_id ?? '';
          const read = () => this.bus.call(runs.agent, { ...of, run_agent_id: id });
          return (await this.runOf(id, read)) === sharedRunId;
        }
      }
    };
    if (await isShared()) return;
    throw new ContractError(
      'not_found',
      'The link does not show this: it is of the results of one run alone.',
    );
  }

  /** Undefined for what is no id. Fails as `read` does, for what does not exist. */
  private async runOf(id: string, read: () => Promise<{ run_id: string }>): Promise<string | undefined> {
    if (!Uuid.safeParse(id).success) return undefined;
    const known = this.runs.get(id);
    if (known !== undefined) return known;
    const { run_id } = await read();
    this.runs.set(id, run_id);
    return run_id;
  }
}
