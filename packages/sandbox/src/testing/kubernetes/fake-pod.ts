import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { WebSocket } from 'ws';
import type { SandboxProvider, SandboxSession } from '../../contract.js';
import type { KubernetesPod } from '../../kubernetes/objects.js';
import type { SandboxSpec } from '../../spec.js';

/** The part of a pod's manifest that the fake understands. */
export interface PodManifest extends KubernetesPod {
  spec: {
    initContainers: { command: string[] }[];
    containers: {
      image: string;
      resources: { limits: { cpu: string; memory: string } };
      volumeMounts: { name: string; mountPath: string; subPath?: string; readOnly?: boolean }[];
    }[];
    volumes: {
      name: string;
      emptyDir?: { sizeLimit: string; medium?: string };
      persistentVolumeClaim?: { claimName: string; readOnly: true };
    }[];
    activeDeadlineSeconds: number;
  };
}

/** The state of pods outside their manifests. */
export interface PodContext {
  /** The sandboxes behind the pods. */
  provider: SandboxProvider;
  /** The program that the init container's image holds. */
  insideTool: string;
  /** By image: dpkg's list of its packages. */
  packageLists?: Readonly<Record<string, string>>;
  /** By name of a claim: the directory of this machine that its volume holds. */
  claims?: Readonly<Record<string, string>>;
}

const PIDS = 512;
const ROOT_BYTES = 1 << 20;
const PACKAGE_LIST = '/var/lib/dpkg/status';
/** Places that a sandbox brings itself. */
const OWN = ['/tmp', '/home/agent', '/dev/shm'];

/** Opens a local sandbox with the limits and volumes of a pod, and puts there what its init container copies. */
export async function openPod(
  { provider, insideTool, packageLists = {}, claims = {} }: PodContext,
  { spec, metadata }: PodManifest,
): Promise<SandboxSession> {
  const [container] = spec.containers;
  const workspace = spec.volumes.find(({ name }) => name === 'workspace');
  const [, , directory, filters] = spec.initContainers[0]?.command ?? [];
  if (!container || !directory || !filters) throw new Error('this is no pod of a sandbox');
  const claimed = claimedDirectories(spec, claims);
  const mounts = container.volumeMounts.filter(
    ({ mountPath }) => !OWN.includes(mountPath) && !claimed.some(({ path: at }) => at === mountPath),
  );
  const writable = mounts.filter(({ name }) => name === 'workspace').map(({ mountPath }) => mountPath);
  const [workingDirectory = '/workspace'] = writable;
  const { cpu, memory } = container.resources.limits;
  const inMemory = spec.volumes
    .flatMap(({ emptyDir }) => (emptyDir?.medium === 'Memory' ? Number(emptyDir.sizeLimit) : []))
    .reduce((sum, bytes) => sum + bytes, 0);
  const packageList = packageLists[container.image];
  const wanted: SandboxSpec = {
    limits: {
      cpu: Number.parseInt(cpu, 10) / 1000,
      memoryBytes: Number(memory) - inMemory,
      pids: PIDS,
      // A pod of an image has none: its root is written.
      workspaceBytes: Number(workspace?.emptyDir?.sizeLimit ?? ROOT_BYTES),
      wallMs: spec.activeDeadlineSeconds * 1000,
      // The stream of frames is one command of the sandbox that plays the pod.
      outputBytes: Number.MAX_SAFE_INTEGER,
    },
    filesystem: {
      workingDirectory,
      writableRoots: writable,
      readableRoots: ['/'],
      stagedRoots: [
        ...mounts.filter(({ name }) => name !== 'workspace').map(({ mountPath }) => mountPath),
        ...(packageList === undefined ? [] : [path.dirname(PACKAGE_LIST)]),
      ],
    },
    directories: claimed,
    labels: { runId: 'pod', attemptId: metadata.name },
    leaseMs: spec.activeDeadlineSeconds * 1000,
  };
  const session = await provider.create(wanted);
  const filter = new RegExp(`${process.arch}=([0-9a-f]+)`).exec(filters)?.[1] ?? '';
  await session.writeFile(`${directory}/filter`, Buffer.from(filter, 'hex'), { roots: ['/'] });
  await session.writeFile(`${directory}/inside`, await readFile(insideTool), { mode: 0o755, roots: ['/'] });
  if (packageList !== undefined) await session.writeFile(PACKAGE_LIST, packageList, { roots: ['/'] });
  return session;
}

/** The parts of volumes of claims that a pod mounts, as a node mounts them. Throws for a claim that there is not. */
function claimedDirectories({ containers, volumes }: PodManifest['spec'], claims: PodContext['claims'] = {}) {
  return volumes.flatMap(({ name, persistentVolumeClaim }) => {
    if (persistentVolumeClaim === undefined) return [];
    const { claimName } = persistentVolumeClaim;
    const root = claims[claimName];
    if (root === undefined) throw new Error(`persistentvolumeclaim "${claimName}" not found`);
    return containers
      .flatMap(({ volumeMounts }) => volumeMounts.filter((mount) => mount.name === name))
      .map(({ mountPath, subPath = '' }) => ({ source: path.join(root, subPath), path: mountPath }));
  });
}

const CHANNEL = { stdin: 0, stdout: 1, stderr: 2, status: 3 } as const;

/** Runs a command of a pod over a socket with the protocol `channel.k8s.io`, as a kubelet does. */
export async function serveExec(
  socket: WebSocket,
  session: SandboxSession,
  command: readonly string[],
): Promise<void> {
  const input = inputOf(socket);
  const aborted = new AbortController();
  socket.once('close', () => aborted.abort());
  const send = (channel: number, bytes: Uint8Array) =>
    socket.send(Buffer.concat([Buffer.from([channel]), bytes]));
  try {
    const { exitCode } = await session.exec(command, {
      stdin: input,
      cwd: '/',
      signal: aborted.signal,
      onStdout: (chunk) => send(CHANNEL.stdout, chunk),
      onStderr: (chunk) => send(CHANNEL.stderr, chunk),
    });
    send(CHANNEL.status, Buffer.from(JSON.stringify(statusOf(exitCode))));
  } catch {
    // The client has gone, or the pod: the stream ends without a status.
  }
  socket.close();
}

export function statusOf(exitCode: number): object {
  if (exitCode === 0) return { status: 'Success' };
  const causes = [{ reason: 'ExitCode', message: String(exitCode) }];
  return { status: 'Failure', reason: 'NonZeroExitCode', details: { causes } };
}

async function* inputOf(socket: WebSocket): AsyncGenerator<Uint8Array> {
  const waiting: Buffer[] = [];
  let isOver = false;
  let wake = () => {};
  socket.on('message', (message: Buffer) => {
    if (message[0] === CHANNEL.stdin) waiting.push(message.subarray(1));
    wake();
  });
  socket.once('close', () => {
    isOver = true;
    wake();
  });
  for (;;) {
    const next = waiting.shift();
    if (next) yield next;
    else if (isOver) return;
    else
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  }
}
