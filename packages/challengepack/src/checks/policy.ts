import { eachEntry, type PackCheck } from './pack-check.js';

/** Policy settings that exclude each other or have no effect. */
export function checkPolicy(check: PackCheck): void {
  const { tool_policy: policy, sandbox } = check.pack.version ?? {};
  const policyAt = check.paths.version.field('tool_policy');
  const sandboxAt = check.paths.version.field('sandbox');
  if (policy?.allowed_tool_kinds?.includes('shell') && policy.allow_shell === false) {
    check.report('contradiction', policyAt.field('allow_shell'), { message: 'the kind shell is allowed' });
  }
  const mayHaveNetwork =
    sandbox?.network_access === true || check.isUndecodable(sandboxAt.field('network_access'));
  if (mayHaveNetwork || check.isUndecodable(sandboxAt)) return;
  const message = 'this has no effect without sandbox.network_access: true';
  if (sandbox?.network_allowlist?.length) {
    check.report('value_ignored', sandboxAt.field('network_allowlist'), { message });
  }
  if (policy?.allow_network === true)
    check.report('value_ignored', policyAt.field('allow_network'), { message });
}

/** `submit` is always there. */
export function checkDeniedTools(check: PackCheck): void {
  for (const [name, at] of eachEntry(check.pack.tools?.denied, check.paths.tools.field('denied'))) {
    if (name === 'submit') check.report('value_ignored', at, { message: 'submit cannot be denied' });
  }
}
