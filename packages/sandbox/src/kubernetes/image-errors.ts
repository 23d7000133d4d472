import { SandboxError } from '../sandbox-error.js';

const SECRETS =
  'give the service account `default` of the namespace of sandboxes an imagePullSecret of that registry (docs/kubernetes.md)';

interface Known {
  /** In the message of a runtime, such as containerd or CRI-O. */
  sign: RegExp;
  problem: string;
  fix: string;
}

/** The first that fits; the message of a refused login often names an absent image as well. */
const PERMANENT: readonly Known[] = [
  {
    sign: /no match for platform|no matching manifest|does not match the specified platform|image operating system/i,
    problem: 'has no variant for the machines of the cluster',
    fix: 'name an image for their architecture, or its index',
  },
  {
    sign: /unauthorized|authorization failed|authentication required|pull access denied|insufficient_scope|no basic auth|denied:|403 Forbidden|401 Unauthorized/i,
    problem: 'needs a login that the cluster does not have, or does not exist',
    fix: SECRETS,
  },
  {
    sign: /unexpected (?:commit )?digest|failed precondition|unexpected commit size|digest mismatch|did not match/i,
    problem: 'is damaged: what its registry sends has another digest than promised',
    fix: 'push it again',
  },
  {
    sign: /not found|manifest unknown|name unknown|NotFound|404/i,
    problem: 'does not exist',
    fix: 'correct its name and digest, or push it',
  },
  {
    sign: /InvalidImageName|invalid reference format|couldn't parse image/i,
    problem: 'has a malformed name',
    fix: 'write NAME@sha256:DIGEST',
  },
  {
    sign: /ErrImageNeverPull/,
    problem: 'is not on the node, and SANDBOX_PULL_POLICY is Never',
    fix: 'load it on the nodes, or set another SANDBOX_PULL_POLICY',
  },
];

/** Why nodes cannot pull an image: `invalid_image` where trying again cannot help, else `unavailable`. */
export function pullError(
  image: string,
  { reason = '', message = '' }: { reason?: string; message?: string },
): SandboxError {
  const cause = new Error(`${reason}: ${message}`);
  // The name of the image may contain anything.
  const known = PERMANENT.find(({ sign }) => sign.test(`${reason}: ${message.replaceAll(image, '')}`));
  if (known === undefined) {
    return new SandboxError('unavailable', `the image ${image} cannot be pulled now`, {
      cause,
      fix: 'see that the nodes of the cluster reach its registry',
    });
  }
  return new SandboxError('invalid_image', `the image ${image} ${known.problem}`, { cause, fix: known.fix });
}
