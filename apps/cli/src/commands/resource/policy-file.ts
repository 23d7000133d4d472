import { CommandError } from '../../command-error.js';
import type { Session } from '../../session/session.js';
import { readWithFiles, refuse } from './create.js';

type GatePolicySpec = Parameters<typeof import('@agentclash/run-scoring').gatePolicyOf>[0];

/** The one gate policy of a file; undefined where it has problems, which are printed. */
export async function readPolicyFile(
  session: Session,
  name: string,
): Promise<{ spec: GatePolicySpec } | undefined> {
  const { file, problems } = await readWithFiles(name, 'gate_policy');
  if (problems.length > 0) {
    refuse(session, { name, file }, problems);
    return undefined;
  }
  const policies = file.entries.filter(({ kind }) => kind === 'gate_policy');
  const [policy, ...others] = policies;
  if (policy === undefined) throw new CommandError('usage', `${name} holds no gate policy`);
  if (others.length > 0) {
    throw new CommandError('usage', `${name} holds several gate policies: one decides`, {
      choices: policies.map((each) => each.name),
    });
  }
  // By its kind it was checked by the schema of gate policies.
  return { spec: policy.body as GatePolicySpec };
}
