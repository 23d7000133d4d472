import type { Route } from '@agentclash/api';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ROUTE } from '../http/serves-routes.js';
import { RateLimited, RateLimits } from '../rate-limit/rate-limits.js';
import { WorkspacesService } from '../workspaces/workspaces.service.js';
import { Authentication } from './authentication.js';
import { checkPermission } from './permission.js';

/** Lets a request through to its route: a valid token, within its rate, for a workspace it sees, with a role that may. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly authentication: Authentication,
    private readonly rateLimits: RateLimits,
    private readonly workspaces: WorkspacesService,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const route = this.reflector.get<Route>(ROUTE, context.getHandler());
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (route.access === 'public') {
      // Who has no token yet is counted by address.
      if (route.method !== 'GET')
        this.limit(`address:${request.ip}`, route, context.switchToHttp().getResponse());
      return true;
    }
    const { authorization } = request.headers;
    // The signature in the URL stands for a token; the controller checks it.
    if (route.access === 'signed' && authorization === undefined) return true;
    const caller = await this.authentication.caller(authorization);
    request.caller = caller;
    this.limit(caller.owner, route, context.switchToHttp().getResponse());
    const { ws } = request.params as { ws?: string };
    if (ws !== undefined) {
      const { workspace, role } = await this.workspaces.visible(ws, caller);
      request.workspace = workspace;
      request.caller = { ...caller, role };
    }
    checkPermission(route, request.caller);
    return true;
  }

  private limit(owner: string, route: Route, reply: FastifyReply): void {
    try {
      reply.headers(this.rateLimits.take(owner, route));
    } catch (error) {
      if (error instanceof RateLimited) reply.headers(error.headers);
      throw error;
    }
  }
}
