import { routes } from '@agentclash/api';
import { baselines, comparisons, gatePolicies, gates } from '@agentclash/contracts';
import { Module } from '@nestjs/common';
import { forward, scope, scopeAndRequest, scopeAndSpec } from '../http/forward.js';
import { controllerOf } from '../http/serves-routes.js';

const ComparisonsController = controllerOf(routes.comparisons, {
  compare: forward(comparisons.compare, scope),
  get: forward(comparisons.get, scope),
});

const BaselinesController = controllerOf(routes.baselines, {
  list: forward(baselines.list, scope),
  get: forward(baselines.get, scope),
  set: forward(baselines.set, scopeAndSpec),
  remove: forward(baselines.remove, scope),
});

const GatePoliciesController = controllerOf(routes.gatePolicies, {
  create: forward(gatePolicies.create, scopeAndSpec),
  list: forward(gatePolicies.list, scope),
  get: forward(gatePolicies.get, scope),
  getDefault: forward(gatePolicies.getDefault, scope),
  update: forward(gatePolicies.update, scopeAndSpec, ({ gate_policy, applied }) => ({
    ...gate_policy,
    applied,
  })),
  remove: forward(gatePolicies.remove, scope),
});

const GatesController = controllerOf(routes.gates, {
  evaluate: forward(gates.evaluate, scopeAndRequest),
  preview: forward(gates.preview, scopeAndRequest),
  list: forward(gates.list, scope),
});

/** Comparisons of runs, and release decisions against baselines. */
@Module({
  controllers: [ComparisonsController, BaselinesController, GatePoliciesController, GatesController],
})
export class GatesModule {}
