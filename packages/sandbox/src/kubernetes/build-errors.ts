import { buildFailure } from '../builds/build-failure.js';
import { pullProblemIn } from '../pull-problems.js';
import { SandboxError } from '../sandbox-error.js';
import { type BuilderOptions, limitsOf, NO_NAMESPACES } from './build-job.js';
import type { KubernetesPod } from './objects.js';

export type BuildStep = 'context' | 'bases' | 'build' | 'push';

export interface EndedStep {
  step: BuildStep;
  exitCode: number;
  reason: string | undefined;
  /** The last lines of its output. */
  lines: readonly string[];
}

const PULL_REASONS = new Set(['ErrImagePull', 'ImagePullBackOff', 'InvalidImageName', 'ErrImageNeverPull']);
const CONFIG_REASONS = new Set(['CreateContainerConfigError', 'CreateContainerError', 'RunContainerError']);

/** Why a container of the pod cannot start at all: the operator has to repair it, so `unavailable`. */
export function startProblem({ status }: KubernetesPod, options: BuilderOptions): SandboxError | undefined {
  const statuses = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  for (const { state } of statuses) {
    const { reason = '', message = '' } = state?.waiting ?? {};
    const cause = new Error(`${reason}: ${message}`);
    if (PULL_REASONS.has(reason)) {
      const fix = `see that nodes can pull it: its name, and an imagePullSecret of the service account in ${options.namespace}`;
      return unavailable(`the image of the builder, ${options.image}, cannot be pulled`, { cause, fix });
    }
    if (CONFIG_REASONS.has(reason)) {
      const fix = 'see that SANDBOX_BUILDER_SECRET names a secret of the type kubernetes.io/dockerconfigjson';
      return unavailable('the pod of a build does not start', { cause, fix });
    }
  }
  return undefined;
}

/** The pod was ended by its node or its job. */
export function endedFromOutside({ status }: KubernetesPod, options: BuilderOptions): SandboxError {
  const { reason = '', message = '' } = status ?? {};
  const cause = new Error(`${reason}: ${message}`);
  if (reason === 'Evicted' && /ephemeral|emptyDir/i.test(message)) {
    const { diskBytes } = limitsOf(options);
    const problem = `the build failed: it needs more than the ${diskBytes} bytes of disk that a build has`;
    return new SandboxError('invalid_image', problem, { cause });
  }
  return unavailable('the pod of a build was ended by its cluster', { cause });
}

export function stepFailure(ended: EndedStep, options: BuilderOptions): SandboxError {
  return FAILURES[ended.step](ended, options);
}

const FAILURES: Record<BuildStep, (ended: EndedStep, options: BuilderOptions) => SandboxError> = {
  context: ({ lines }) => unavailable('the files of a build did not arrive in its pod', causeOf(lines)),

  bases: ({ lines }) => {
    const image = lines.findLast((line) => line.startsWith('pulling '))?.slice('pulling '.length) ?? '';
    const problem = pullProblemIn(lines.join('\n'), image);
    if (problem === undefined) {
      const fix = 'see that the pods of builds reach its registry (docs/kubernetes.md)';
      return unavailable(`the image ${image} cannot be pulled now`, { ...causeOf(lines), fix });
    }
    const fix = 'correct its name in the Dockerfile, or have the secret of the builder read its registry';
    const message = `the image ${image} cannot be pulled (${problem})\n${lines.join('\n')}`;
    return new SandboxError('invalid_image', message, { fix });
  },

  build: ({ exitCode, reason, lines }, options) => {
    if (exitCode === NO_NAMESPACES) {
      const fix =
        'see that the namespace of builds admits SANDBOX_BUILDER_USER, and its image has what docs/kubernetes.md lists';
      return unavailable('the builder can make no namespaces in its pod', { ...causeOf(lines), fix });
    }
    return buildFailure(reason === 'OOMKilled' ? [...lines, 'signal: killed'] : lines, limitsOf(options));
  },

  push: ({ lines }, { repository }) => {
    const fix =
      'see that the secret of the builder may push there, and that the pods of builds reach it (docs/kubernetes.md)';
    return unavailable(`the registry does not take an image into ${repository}`, { ...causeOf(lines), fix });
  },
};

function causeOf(lines: readonly string[]): { cause: Error } {
  return { cause: new Error(lines.join('\n')) };
}

function unavailable(message: string, details: { cause: Error; fix?: string }): SandboxError {
  return new SandboxError('unavailable', message, details);
}
