import { SandboxError } from '../sandbox-error.js';

interface Known {
  /** In the message of a daemon. */
  sign: RegExp;
  problem: string;
  fix: string;
}

/** The first that fits; the message of a refused login often names an absent image as well. */
const PERMANENT: readonly Known[] = [
  {
    sign: /no match for platform|no matching manifest|does not match the specified platform|image operating system/i,
    problem: 'has no variant for the machine of the Docker daemon',
    fix: 'name an image for its architecture, or its index',
  },
  {
    sign: /unauthorized|authentication required|pull access denied|insufficient_scope|no basic auth|denied:|403 Forbidden|401 Unauthorized/i,
    problem: 'needs a login that this executor does not have, or does not exist',
    fix: 'add the registry to the file of SANDBOX_REGISTRY_CREDENTIALS',
  },
  {
    sign: /verification failed|unexpected (?:commit )?digest|digest mismatch|did not match|failed precondition|layers from manifest don't match|wrong diff id|gzip: invalid|invalid tar header|archive\/tar|unexpected EOF|breakout|invalid hard ?link/i,
    problem: 'is damaged: what its registry sends is not what its digest promises, or cannot be unpacked',
    fix: 'push it again',
  },
  {
    sign: /max depth exceeded/i,
    problem: 'has more layers than the Docker daemon takes',
    fix: 'build it with fewer layers',
  },
  {
    sign: /not found|manifest unknown|name unknown|no such image/i,
    problem: 'does not exist',
    fix: 'correct its name and digest, or push it',
  },
  {
    sign: /invalid reference format|invalid repository name/i,
    problem: 'has a malformed name',
    fix: 'write NAME@sha256:DIGEST',
  },
];
const UNREACHABLE =
  /dial tcp|lookup |no such host|connection refused|i\/o timeout|deadline exceeded|TLS handshake/i;

/** Why the daemon cannot pull an image: `invalid_image` where trying again cannot help, else `unavailable`. */
export function pullError(image: string, reason: string): SandboxError {
  const cause = new Error(reason);
  if (/no space left on device|disk quota exceeded/i.test(reason)) {
    return new SandboxError('unavailable', `there is no space left for the image ${image}`, {
      cause,
      fix: 'free space on the disk of the Docker daemon, for instance with `docker system prune`',
    });
  }
  // The name of the image may contain anything.
  const text = reason.replaceAll(image, '');
  const known = UNREACHABLE.test(text) ? undefined : PERMANENT.find(({ sign }) => sign.test(text));
  if (known === undefined) {
    return new SandboxError('unavailable', `the image ${image} cannot be pulled now`, {
      cause,
      fix: 'see that the Docker daemon reaches its registry',
    });
  }
  return new SandboxError('invalid_image', `the image ${image} ${known.problem}`, { cause, fix: known.fix });
}
