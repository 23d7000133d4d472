import { routes } from '@agentclash/api';
import { Module } from '@nestjs/common';
import type { RouteRequest } from '../http/route-request.js';
import { ServesRoutes, type Serving } from '../http/serves-routes.js';
import { SessionsService } from './sessions.service.js';
import { SessionsStore } from './sessions.store.js';

type Routes = typeof routes.sessions;

@ServesRoutes(routes.sessions)
class SessionsController implements Serving<Routes> {
  constructor(private readonly sessions: SessionsService) {}

  createCode({ caller, body }: RouteRequest<Routes['createCode']>) {
    return this.sessions.createCode(caller, body.session_hours);
  }

  open({ body }: RouteRequest<Routes['open']>) {
    return this.sessions.open(body.code);
  }

  async close({ caller }: RouteRequest<Routes['close']>): Promise<undefined> {
    await this.sessions.close(caller);
  }
}

@Module({ controllers: [SessionsController], providers: [SessionsService, SessionsStore] })
export class SessionsModule {}
