import { INSIDE_PATH } from '../remote/remote-sandbox.js';
import { CONTAINER } from './objects.js';
import type { KubernetesOptions } from './options.js';

/** Of the files of the platform, and of the process that has the streams of the one inside: never a user of commands. */
const USERS = [65_532, 65_531] as const;
const STREAMS_CONTAINER = 'streams';
/** For what it relays; it is beside what the sandbox may use. */
const CPU = 0.2;
const BYTES = 16 << 20;

type OfPod = Pick<KubernetesOptions, 'runtimeClassName' | 'insidePath'>;

/**
 * The streams of the process inside are those of a container of their own, which nothing of the sandbox runs in: a runtime
 * class may be gVisor, whose processes open the descriptors of all processes of their user (`native/join.c`).
 */
export function hasStreamsContainer({ runtimeClassName }: OfPod): boolean {
  return runtimeClassName !== undefined;
}

/** Where the executor runs a command line of the process inside. */
export function insideCommand(
  options: OfPod,
  words: readonly string[],
): { container: string; command: string[] } {
  return hasStreamsContainer(options)
    ? { container: STREAMS_CONTAINER, command: [options.insidePath, 'join', ...words] }
    : { container: CONTAINER, command: [INSIDE_PATH, ...words] };
}

export function asStreamsUser(uidOfCommands: number): object {
  const [first, second] = USERS;
  const user = uidOfCommands === first ? second : first;
  return { runAsNonRoot: true, runAsUser: user, runAsGroup: user };
}

/** It needs no volume: the image holds the program. */
export function streamsContainer(
  { insideImage, insidePath, cpuRequestShare = 1 }: KubernetesOptions,
  common: object,
): object {
  const memory = String(BYTES);
  const limits = { cpu: milliCpus(CPU), memory, 'ephemeral-storage': memory };
  return {
    ...common,
    name: STREAMS_CONTAINER,
    image: insideImage,
    command: [insidePath, 'hold'],
    resources: { limits, requests: { ...limits, cpu: milliCpus(CPU * cpuRequestShare) } },
  };
}

export function milliCpus(cpus: number): string {
  return `${Math.max(1, Math.round(cpus * 1000))}m`;
}
