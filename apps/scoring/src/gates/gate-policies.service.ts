import {
  ContractError,
  type gatePolicies,
  type In,
  type Out,
  type GatePolicy as StoredPolicy,
  Uuid,
} from '@agentclash/contracts';
import { BUILT_IN_POLICY, completePolicy, type GatePolicy, gatePolicyFingerprint } from '@agentclash/grading';
import { decodeIdCursor, pageOf } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { GatePoliciesStore } from './gate-policies.store.js';

/** The policy of gates that name none. */
const DEFAULT_POLICY = 'default';

@Injectable()
export class GatePoliciesService {
  constructor(private readonly store: GatePoliciesStore) {}

  async create({ workspace_id, spec, actor }: In<typeof gatePolicies.create>): Promise<StoredPolicy> {
    return (await this.store.create(workspace_id, completePolicy(spec), actor)) ?? nameTaken(spec.name);
  }

  async update(request: In<typeof gatePolicies.update>): Promise<Out<typeof gatePolicies.update>> {
    const before = await this.get(request);
    const policy = completePolicy(request.spec);
    if (gatePolicyFingerprint(policy) === before.fingerprint) {
      return { applied: 'unchanged', gate_policy: before };
    }
    const revised = await this.store.revise(before, policy, request.actor);
    return { applied: 'revised', gate_policy: revised ?? nameTaken(request.spec.name) };
  }

  async list(request: In<typeof gatePolicies.list>): Promise<Out<typeof gatePolicies.list>> {
    const { workspace_id: workspaceId, name, limit, cursor } = request;
    const after = decodeIdCursor(cursor);
    const rows = await this.store.list({ workspaceId, name, after, take: limit + 1 });
    return pageOf(rows, limit, { item: (policy) => policy, sortKey: ({ id }) => id });
  }

  async get({ workspace_id, gate_policy_id: id }: In<typeof gatePolicies.get>): Promise<StoredPolicy> {
    return (await this.store.find(workspace_id, { id })) ?? unknownPolicy(id);
  }

  async getDefault({
    workspace_id,
  }: In<typeof gatePolicies.getDefault>): Promise<Out<typeof gatePolicies.getDefault>> {
    const stored = await this.store.find(workspace_id, { name: DEFAULT_POLICY });
    const policy = stored === undefined ? BUILT_IN_POLICY : policyOf(stored);
    return { ...policy, fingerprint: gatePolicyFingerprint(policy), built_in: stored === undefined };
  }

  async remove({ workspace_id, gate_policy_id: id }: In<typeof gatePolicies.remove>): Promise<void> {
    if (!(await this.store.remove(workspace_id, id))) unknownPolicy(id);
  }

  /** A policy by id or name; without one, the stored `default`, else the built-in one. Fails with `not_found`. */
  async choose(workspaceId: string, reference: string = DEFAULT_POLICY): Promise<GatePolicy> {
    const by = Uuid.safeParse(reference).success ? { id: reference } : { name: reference };
    const found = await this.store.find(workspaceId, by);
    if (found !== undefined) return policyOf(found);
    return reference === DEFAULT_POLICY ? BUILT_IN_POLICY : unknownPolicy(reference);
  }
}

function policyOf({
  id: _id,
  version: _version,
  fingerprint: _print,
  created_at: _made,
  updated_at: _at,
  ...spec
}: StoredPolicy): GatePolicy {
  return completePolicy(spec);
}

function nameTaken(name: string): never {
  throw new ContractError('conflict', `There is a gate policy named "${name}" already.`, {
    errors: [{ code: 'not_unique', field: 'name', message: 'is taken' }],
  });
}

function unknownPolicy(reference: string): never {
  throw new ContractError('not_found', `There is no gate policy "${reference}".`);
}
