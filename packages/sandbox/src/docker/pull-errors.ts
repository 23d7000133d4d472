import { type PullProblem, pullProblemIn } from '../pull-problems.js';
import { SandboxError } from '../sandbox-error.js';

const PROBLEMS: Readonly<Record<PullProblem, { problem: string; fix: string }>> = {
  platform: {
    problem: 'has no variant for the machine of the Docker daemon',
    fix: 'name an image for its architecture, or its index',
  },
  login: {
    problem: 'needs a login that this executor does not have, or does not exist',
    fix: 'add the registry to the file of SANDBOX_REGISTRY_CREDENTIALS',
  },
  damaged: {
    problem: 'is damaged: what its registry sends is not what its digest promises, or cannot be unpacked',
    fix: 'push it again',
  },
  layers: {
    problem: 'has more layers than the Docker daemon takes',
    fix: 'build it with fewer layers',
  },
  absent: { problem: 'does not exist', fix: 'correct its name and digest, or push it' },
  malformed: { problem: 'has a malformed name', fix: 'write NAME@sha256:DIGEST' },
};

/** Why the daemon does not take the image of an archive. */
export function loadError(image: string, reason: string): SandboxError {
  const cause = new Error(reason);
  const code = pullProblemIn(reason, image) === undefined ? 'unavailable' : 'invalid_image';
  if (/no space left on device|disk quota exceeded/i.test(reason)) return pullError(image, reason);
  if (code === 'unavailable') {
    const fix = 'see the log of the Docker daemon';
    return new SandboxError(code, `the image ${image} cannot be loaded now`, { cause, fix });
  }
  const message = `the image ${image} is damaged, or none for the Docker daemon: ${reason}`;
  return new SandboxError(code, message, { cause, fix: 'make the archive again' });
}

/** Why the daemon cannot pull an image: `invalid_image` where trying again cannot help, else `unavailable`. */
export function pullError(image: string, reason: string): SandboxError {
  const cause = new Error(reason);
  if (/no space left on device|disk quota exceeded/i.test(reason)) {
    return new SandboxError('unavailable', `there is no space left for the image ${image}`, {
      cause,
      fix: 'free space on the disk of the Docker daemon, for instance with `docker system prune`',
    });
  }
  const known = pullProblemIn(reason, image);
  if (known === undefined) {
    return new SandboxError('unavailable', `the image ${image} cannot be pulled now`, {
      cause,
      fix: 'see that the Docker daemon reaches its registry',
    });
  }
  const { problem, fix } = PROBLEMS[known];
  return new SandboxError('invalid_image', `the image ${image} ${problem}`, { cause, fix });
}
