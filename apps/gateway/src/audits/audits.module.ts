import { routes } from '@agentclash/api';
import { audits } from '@agentclash/contracts';
import { Module } from '@nestjs/common';
import { forward, scope, scopeAndActor } from '../http/forward.js';
import { RouteResponse } from '../http/route-response.js';
import { controllerOf } from '../http/serves-routes.js';

const AuditsController = controllerOf(routes.audits, {
  create: forward(
    audits.create,
    (request) => ({ ...scopeAndActor(request), ...request.body }),
    ({ created, audit }) => new RouteResponse(audit, { status: created ? 201 : 200 }),
  ),
  list: forward(audits.list, scope),
  get: forward(audits.get, scope),
  cancel: forward(audits.cancel, scope),
});

const AuditPolicyController = controllerOf(routes.auditPolicy, {
  get: forward(audits.policy, scope),
  set: forward(audits.setPolicy, (request) => ({ ...scopeAndActor(request), policy: request.body })),
});

/** Audits of published versions, and what a workspace requires of them. */
@Module({ controllers: [AuditsController, AuditPolicyController] })
export class AuditsModule {}
