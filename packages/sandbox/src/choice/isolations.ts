import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DaemonAddress } from '../docker/daemon-address.js';
import type { EngineInfo } from '../docker/engine-objects.js';
import { findProgram } from '../host/config.js';
import { isSandboxError } from '../sandbox-error.js';
import { PROVIDER_DEFAULT, type Variables } from './variables.js';

/** One of the isolations that sandboxes could have here, for `doctor`. */
export interface IsolationReport {
  name: 'namespaces' | 'gvisor' | 'docker' | 'docker+runsc' | 'kubernetes' | 'e2b';
  isAvailable: boolean;
  /** The one of the sandboxes that an executor opens with these variables. */
  isChosen: boolean;
  /** The boundary between a sandbox and the machine. */
  promise: string;
  /** Version or address where it is available, else the reason why not. */
  detail: string;
  /** The command or setting that makes it available, or chooses it. */
  fix?: string;
}

/** A limit of its own that a program reads inside; limits of packs do not depend on load. */
const CPU_TIME = 'the CPU time that programs read inside depends on the load of the machine';

const PROMISES = {
  namespaces: 'namespaces, a uid and limits of its own; shares the kernel of the host',
  gvisor: `a kernel of its own in user space (gVisor), and limits; ${CPU_TIME}`,
  docker: 'a container with limits; shares the kernel of its machine',
  'docker+runsc': `a container with a kernel of its own in user space (gVisor); ${CPU_TIME}`,
  kubernetes: 'a pod; a kernel of its own with a RuntimeClass such as gvisor or kata',
  e2b: 'a virtual machine of the service E2B',
} as const satisfies Record<IsolationReport['name'], string>;

/** In the names of runtimes and runtime classes. */
const IS_GVISOR = /runsc|gvisor/i;

type Given = Partial<Variables>;
type Found = Pick<IsolationReport, 'isAvailable' | 'detail' | 'fix'>;

/** Looks for each without opening a sandbox. Never throws. */
export async function listIsolations(given: Given): Promise<IsolationReport[]> {
  const daemon = await foundDaemon(given);
  const found: Record<IsolationReport['name'], Found> = {
    namespaces: foundNamespaces(),
    gvisor: await foundGvisor(given),
    docker: daemon.plain,
    'docker+runsc': daemon.gvisor,
    kubernetes: foundCluster(given),
    e2b: foundService(given),
  };
  const chosen = chosenOf(given);
  return (Object.keys(found) as IsolationReport['name'][]).map((name) => ({
    name,
    isChosen: name === chosen,
    promise: PROMISES[name],
    ...found[name],
  }));
}

function chosenOf(given: Given): IsolationReport['name'] {
  const { SANDBOX_PROVIDER = PROVIDER_DEFAULT, SANDBOX_ISOLATION, SANDBOX_DOCKER_RUNTIME = '' } = given;
  if (SANDBOX_PROVIDER === 'bubblewrap') return SANDBOX_ISOLATION === 'gvisor' ? 'gvisor' : 'namespaces';
  if (SANDBOX_PROVIDER === 'docker' && IS_GVISOR.test(SANDBOX_DOCKER_RUNTIME)) return 'docker+runsc';
  return SANDBOX_PROVIDER;
}

function foundNamespaces(): Found {
  if (process.platform !== 'linux') return { isAvailable: false, detail: 'bubblewrap needs Linux' };
  const program = findProgram('bwrap');
  if (program !== undefined) return { isAvailable: true, detail: program };
  const fix = 'apt-get install -y bubblewrap (0.8.0 or newer)';
  return { isAvailable: false, detail: 'bubblewrap is missing', fix };
}

async function foundGvisor({ SANDBOX_RUNSC }: Given): Promise<Found> {
  if (process.platform !== 'linux') return { isAvailable: false, detail: 'gVisor needs Linux' };
  if (process.getuid?.() !== 0) {
    return { isAvailable: false, detail: 'gVisor needs root here', fix: 'run the executor as root' };
  }
  const { findRunsc } = await import('../bubblewrap/runsc.js');
  const directory = await mkdtemp(path.join(tmpdir(), 'agentclash-runsc-'));
  try {
    const { program, version, platform } = await findRunsc(directory, SANDBOX_RUNSC);
    return {
      isAvailable: true,
      detail: `${program} ${version}, ${platform}`,
      fix: 'SANDBOX_ISOLATION=gvisor',
    };
  } catch (error) {
    return missing(error);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function foundDaemon(given: Given): Promise<{ plain: Found; gvisor: Found }> {
  const [{ Engine }, { daemonAddress }] = await Promise.all([
    import('../docker/engine.js'),
    import('../docker/daemon-address.js'),
  ]);
  try {
    const address = daemonAddress(given);
    const info = await new Engine(address).get<EngineInfo>('/info');
    const detail = `${address.url} ${info.ServerVersion ?? ''}`.trim();
    const plain = { isAvailable: true, detail, fix: 'SANDBOX_PROVIDER=docker' };
    return { plain, gvisor: await foundRuntime(info, { address, detail }) };
  } catch (error) {
    const plain = missing(error);
    return { plain, gvisor: plain };
  }
}

async function foundRuntime(
  info: EngineInfo,
  { address, detail }: { address: DaemonAddress; detail: string },
): Promise<Found> {
  const { gvisorRuntime, refuseTooOld } = await import('../docker/runtime.js');
  const runtime = await gvisorRuntime(info, address);
  if (runtime === undefined) {
    const fix =
      'register runsc in daemon.json with "runtimeArgs": ["--network=none", "--overlay2=none"], then restart the daemon';
    return { isAvailable: false, detail: 'the daemon has no runtime runsc', fix };
  }
  try {
    refuseTooOld(runtime);
  } catch (error) {
    return missing(error);
  }
  const version = runtime.version === undefined ? '' : `, gVisor ${runtime.version}`;
  const fix = `SANDBOX_PROVIDER=docker SANDBOX_DOCKER_RUNTIME=${runtime.name}`;
  return { isAvailable: true, detail: `${detail}${version}`, fix };
}

function foundCluster({ SANDBOX_PROVIDER, SANDBOX_RUNTIME_CLASS }: Given): Found {
  if (SANDBOX_PROVIDER !== 'kubernetes') {
    const fix = 'SANDBOX_PROVIDER=kubernetes (docs/kubernetes.md)';
    return { isAvailable: false, detail: 'no cluster is configured', fix };
  }
  if (SANDBOX_RUNTIME_CLASS !== undefined) {
    const note = IS_GVISOR.test(SANDBOX_RUNTIME_CLASS) ? `; ${CPU_TIME}` : '';
    return { isAvailable: true, detail: `RuntimeClass ${SANDBOX_RUNTIME_CLASS}${note}` };
  }
  const detail = 'no RuntimeClass: pods share the kernel of their node';
  return { isAvailable: true, detail, fix: 'set SANDBOX_RUNTIME_CLASS to one of kubectl get runtimeclass' };
}

function foundService({ E2B_API_KEY }: Given): Found {
  if (E2B_API_KEY !== undefined) return { isAvailable: true, detail: 'a key is set' };
  return { isAvailable: false, detail: 'no key is set', fix: 'SANDBOX_PROVIDER=e2b and E2B_API_KEY' };
}

function missing(error: unknown): Found {
  const detail = error instanceof Error ? error.message : String(error);
  const fix = isSandboxError(error) ? error.fix : undefined;
  return { isAvailable: false, detail, ...(fix === undefined ? {} : { fix }) };
}
