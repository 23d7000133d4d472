import { ContractError, type GatePolicy as StoredPolicy, Uuid } from '@agentclash/contracts';
import type { GatePolicy } from '@agentclash/domain';
import { BUILT_IN_POLICY, completePolicy } from '@agentclash/grading';
import { Injectable } from '@nestjs/common';
import { GatePoliciesStore } from './gate-policies.store.js';

/** The policy of gates that name none. */
export const DEFAULT_POLICY = 'default';

/** Finds the policy that a gate names. */
@Injectable()
export class GatePolicyResolver {
  constructor(private readonly store: GatePoliciesStore) {}

  /** A policy by id or name; without one, the stored `default`, else the built-in one. Fails with `not_found`. */
  async resolve(workspaceId: string, reference: string = DEFAULT_POLICY): Promise<GatePolicy> {
    const by = Uuid.safeParse(reference).success ? { id: reference } : { name: reference };
    const found = await this.store.find(workspaceId, by);
    if (found !== undefined) return policyOf(found);
    return reference === DEFAULT_POLICY ? BUILT_IN_POLICY : unknownPolicy(reference);
  }
}

export function policyOf({
  id: _id,
  version: _version,
  fingerprint: _print,
  created_at: _made,
  updated_at: _at,
  ...spec
}: StoredPolicy): GatePolicy {
  return completePolicy(spec);
}

export function unknownPolicy(reference: string): never {
  throw new ContractError('not_found', `There is no gate policy "${reference}".`);
}
