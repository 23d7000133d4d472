import { CHAIN_TOOLS_MAX } from '../tools/delegation.js';
import { admittedPrimitives } from '../tools/policy.js';
import type { PackCheck } from './pack-check.js';
import type { PlacedTool, ToolSet } from './tool-set.js';

/** Where a tool's chain leads: it must end, soon enough, in something the policy admits. */
export function checkDelegation(check: PackCheck, placed: PlacedTool, tools: ToolSet): void {
  const at = placed.implementationAt.field('primitive');
  const reach = tools.delegation.reachOf(placed.index);
  if (reach.kind === 'self') check.report('self_reference', at);
  if (reach.kind === 'cycle') check.report('delegation_cycle', at);
  if (reach.kind !== 'ends') return;
  if (reach.hops > CHAIN_TOOLS_MAX) {
    check.report('delegation_too_deep', at, {
      message: `more than ${CHAIN_TOOLS_MAX} tools delegate in a row`,
    });
  }
  if (reach.end === 'mock' || !isPolicyKnown(check)) return;
  if (reach.end === 'submit' || !admittedPrimitives(policyOf(check)).has(reach.end)) {
    check.report('tool_never_allowed', at, {
      message: `the chain ends in ${reach.end}, which the policy does not admit: the tool is never offered`,
    });
  }
}

function policyOf(check: PackCheck) {
  const { tool_policy: policy, sandbox } = check.pack.version ?? {};
  const { allowed_tool_kinds: kinds, ...rest } = policy ?? {};
  const known = kinds?.filter((kind) => kind !== undefined);
  return {
    tool_policy: { ...rest, ...(known && { allowed_tool_kinds: known }) },
    sandbox: { network_access: sandbox?.network_access === true },
  };
}

/** Whether everything that admits primitives could be read. */
function isPolicyKnown(check: PackCheck): boolean {
  const policy = check.paths.version.field('tool_policy');
  const sandbox = check.paths.version.field('sandbox');
  const kinds = check.pack.version?.tool_policy?.allowed_tool_kinds;
  if (check.hasHoles(kinds, policy.field('allowed_tool_kinds'))) return false;
  const fields = [policy, sandbox, policy.field('allow_shell'), policy.field('allow_network')];
  return ![...fields, sandbox.field('network_access')].some((field) => check.isUndecodable(field));
}
