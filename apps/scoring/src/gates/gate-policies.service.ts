import { Handles, type Serves } from '@agentclash/bus';
import {
  ContractError,
  gatePolicies,
  type In,
  type Out,
  type GatePolicy as StoredPolicy,
} from '@agentclash/contracts';
import { BUILT_IN_POLICY, completePolicy, gatePolicyFingerprint } from '@agentclash/grading';
import { decodeIdCursor, pageOf } from '@agentclash/service-kit';
import { GatePoliciesStore } from './gate-policies.store.js';
import { DEFAULT_POLICY, policyOf, unknownPolicy } from './gate-policy-resolver.js';

@Handles(gatePolicies)
export class GatePoliciesService implements Serves<typeof gatePolicies> {
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

  async remove({
    workspace_id,
    gate_policy_id: id,
  }: In<typeof gatePolicies.remove>): Promise<Out<typeof gatePolicies.remove>> {
    if (!(await this.store.remove(workspace_id, id))) unknownPolicy(id);
    return {};
  }
}

function nameTaken(name: string): never {
  throw new ContractError('conflict', `There is a gate policy named "${name}" already.`, {
    errors: [{ code: 'not_unique', field: 'name', message: 'is taken' }],
  });
}
