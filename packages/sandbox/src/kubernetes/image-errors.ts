import { type PullProblem, pullProblemIn } from '../pull-problems.js';
import { SandboxError } from '../sandbox-error.js';

const SECRETS =
  'give the service account `default` of the namespace of sandboxes an imagePullSecret of that registry (docs/kubernetes.md)';

interface Known {
  problem: string;
  fix: string;
}

const PROBLEMS: Readonly<Record<PullProblem, Known>> = {
  platform: {
    problem: 'has no variant for the machines of the cluster',
    fix: 'name an image for their architecture, or its index',
  },
  login: { problem: 'needs a login that the cluster does not have, or does not exist', fix: SECRETS },
  damaged: {
    problem: 'is damaged: what its registry sends has another digest than promised, or cannot be unpacked',
    fix: 'push it again',
  },
  layers: { problem: 'has more layers than the nodes take', fix: 'build it with fewer layers' },
  absent: { problem: 'does not exist', fix: 'correct its name and digest, or push it' },
  malformed: { problem: 'has a malformed name', fix: 'write NAME@sha256:DIGEST' },
};
const NEVER_PULLED: Known = {
  problem: 'is not on the node, and SANDBOX_PULL_POLICY is Never',
  fix: 'load it on the nodes, or set another SANDBOX_PULL_POLICY',
};

/** Why nodes cannot pull an image: `invalid_image` where trying again cannot help, else `unavailable`. */
export function pullError(
  image: string,
  { reason = '', message = '' }: { reason?: string; message?: string },
): SandboxError {
  const cause = new Error(`${reason}: ${message}`);
  const found = pullProblemIn(`${reason}: ${message}`, image);
  const isNeverPulled = reason === 'ErrImageNeverPull';
  const known = isNeverPulled ? NEVER_PULLED : found && PROBLEMS[found];
  if (known === undefined) {
    return new SandboxError('unavailable', `the image ${image} cannot be pulled now`, {
      cause,
      fix: 'see that the nodes of the cluster reach its registry',
    });
  }
  return new SandboxError('invalid_image', `the image ${image} ${known.problem}`, { cause, fix: known.fix });
}
