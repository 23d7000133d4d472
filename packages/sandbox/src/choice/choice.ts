import { readFile } from 'node:fs/promises';
import type { Egress } from '@agentclash/egress';
import type { z } from 'zod';
import type { BuildNetwork } from '../bubblewrap/build-network.js';
import type { Shortfall } from '../bubblewrap/host.js';
import type { SandboxProvider } from '../contract.js';
import type { ImageRight } from '../docker/image-rights.js';
import type { BuilderOptions } from '../kubernetes/build-job.js';
import type { ApiAccess } from '../kubernetes/config.js';
import type { DirectoriesClaim } from '../kubernetes/directories-claim.js';
import { credentialsOf, openImages } from './images.js';
import { NEEDED, type ProviderName, Variables } from './variables.js';

/** The provider an operator has chosen. Holds no credential that could be printed. */
export interface SandboxChoice {
  provider: ProviderName;
  /** Where the executor keeps packages of coding agents; default: a directory of its user. */
  agentPackagesDirectory: string | undefined;
  /** Opens it and sees that it works. Throws `unavailable`, with what to do, when it does not. */
  open(options?: OpenOptions): Promise<OpenedSandboxes>;
}

/** The variables that choose and configure the provider, as `sandbox`. */
export const SandboxEnvironment = Variables.transform((given, context): { sandbox: SandboxChoice } => {
  const provider = given.SANDBOX_PROVIDER;
  for (const variable of NEEDED[provider].filter((name) => given[name] === undefined)) {
    const message = `must be set for SANDBOX_PROVIDER=${provider}`;
    context.addIssue({ code: 'custom', path: [variable], message });
  }
  if (given.SANDBOX_ISOLATION === 'gvisor' && provider !== 'bubblewrap') {
    const message = `must not be set for SANDBOX_PROVIDER=${provider}, whose runtime decides that`;
    context.addIssue({ code: 'custom', path: ['SANDBOX_ISOLATION'], message });
  }
  if (given.SANDBOX_BUILDER_IMAGE !== undefined && given.SANDBOX_BUILDER_REPOSITORY === undefined) {
    const message = 'must be set for SANDBOX_BUILDER_IMAGE, to where built images are pushed';
    context.addIssue({ code: 'custom', path: ['SANDBOX_BUILDER_REPOSITORY'], message });
  }
  if (given.AGENT_PACKAGES_CLAIM !== undefined && given.AGENT_PACKAGES_DIR === undefined) {
    const message = 'must be set for AGENT_PACKAGES_CLAIM, to where the volume of the claim is mounted';
    context.addIssue({ code: 'custom', path: ['AGENT_PACKAGES_DIR'], message });
  }
  return {
    sandbox: {
      provider,
      agentPackagesDirectory: given.AGENT_PACKAGES_DIR,
      open: (options = {}) => OPENERS[provider](given, options),
    },
  };
}) satisfies z.ZodType<{ sandbox: SandboxChoice }>;

interface OpenOptions {
  /** The guarded client for registries; without it images come from this machine alone. */
  egress?: Egress;
  /** Instead of the one configured: a mere probe must not be taken for an executor. */
  owner?: string;
  onProblem?: (message: string, cause?: unknown) => void;
}

export interface SandboxFacts {
  bwrap_version?: string;
  runsc_version?: string;
  runsc_platform?: string;
  create_ms?: number;
  exec_ms?: number;
  enforcement?: string;
  docker_version?: string;
  runtime?: string;
}

interface OpenedSandboxes {
  provider: SandboxProvider;
  /** The missing or weak parts of the isolation, each with its remedy. */
  shortfalls: readonly Shortfall[];
  /** Of images of packs, where the settings of a daemon decide them. */
  imageRights?: readonly ImageRight[];
  /** For logs. */
  facts: SandboxFacts;
}

/** Public, for all architectures of Docker, with Python and what builds packages of it. */
const DOCKER_IMAGE = 'docker.io/library/python:3.13-bookworm';

/** An agent's sandbox, and that of its grading. */
const KINDS_OF_ATTEMPTS = 2;

type Opener = (given: Variables, options: OpenOptions) => Promise<OpenedSandboxes>;

/** Each loads its provider only when it is the chosen one. */
const OPENERS: Readonly<Record<ProviderName, Opener>> = {
  bubblewrap: async (given, { egress, onProblem }) => {
    const { createBubblewrapProvider } = await import('../bubblewrap/provider.js');
    const provider = await createBubblewrapProvider({
      isolation: given.SANDBOX_ISOLATION,
      runsc: given.SANDBOX_RUNSC,
      templates: given.SANDBOX_TEMPLATES,
      images: await openImages(given, egress),
      builds: { network: buildNetwork(given, egress) },
      onProblem,
    });
    const { shortfalls, bwrapVersion, runsc } = provider.host;
    const { createMs, execMs } = provider.selfTest ?? {};
    return {
      provider,
      shortfalls,
      facts: {
        bwrap_version: bwrapVersion,
        ...(runsc !== undefined && { runsc_version: runsc.version, runsc_platform: runsc.platform }),
        ...(createMs !== undefined && { create_ms: createMs, exec_ms: execMs }),
      },
    };
  },

  docker: async (given, { owner, onProblem }) => {
    const [{ createDockerProvider }, { daemonAddress }] = await Promise.all([
      import('../docker/provider.js'),
      import('../docker/daemon-address.js'),
    ]);
    const provider = await createDockerProvider({
      address: daemonAddress(given),
      image: given.SANDBOX_IMAGE ?? DOCKER_IMAGE,
      templates: given.SANDBOX_TEMPLATES,
      owner: owner ?? given.SANDBOX_OWNER,
      runtime: given.SANDBOX_DOCKER_RUNTIME,
      isStronglyIsolated: given.SANDBOX_STRONG_ISOLATION,
      allowsRootOfMachine: given.SANDBOX_ROOT_IN_IMAGES,
      hasNetworkInBuilds: given.SANDBOX_BUILD_NETWORK === 'host',
      pulls: given.SANDBOX_REGISTRIES === 'any',
      credentials: await credentialsOf(given.SANDBOX_REGISTRY_CREDENTIALS),
      imageBytesMax: given.SANDBOX_IMAGES_BYTES_MAX,
      pool: { size: given.SANDBOX_DOCKER_POOL },
      onProblem,
    });
    const { shortfalls, facts, imageRights } = provider;
    return { provider, shortfalls, facts, imageRights };
  },

  kubernetes: async (given, { owner, onProblem }) => {
    const { createKubernetesProvider } = await import('../kubernetes/provider.js');
    const provider = await createKubernetesProvider({
      namespace: given.SANDBOX_NAMESPACE ?? '',
      image: given.SANDBOX_IMAGE ?? '',
      insideImage: given.SANDBOX_INSIDE_IMAGE ?? '',
      insidePath: given.SANDBOX_INSIDE_PATH,
      owner: owner ?? given.SANDBOX_OWNER,
      templates: given.SANDBOX_TEMPLATES,
      runtimeClassName: given.SANDBOX_RUNTIME_CLASS,
      isStronglyIsolated: given.SANDBOX_STRONG_ISOLATION,
      hasUserNamespaces: given.SANDBOX_USER_NAMESPACES,
      allowsRootOfNode: given.SANDBOX_ROOT_IN_IMAGES,
      uids: given.SANDBOX_UIDS,
      cpuRequestShare: given.SANDBOX_CPU_REQUEST_SHARE,
      directories: claimOf(given),
      objects: given.SANDBOX_OBJECTS,
      pool: { size: given.SANDBOX_POD_POOL, sizeMax: KINDS_OF_ATTEMPTS * given.SANDBOX_POD_POOL },
      builds: builderOf(given),
      imagePullPolicy: given.SANDBOX_PULL_POLICY,
      access: await accessOf(given),
      onProblem,
    });
    const { enforcement, imageProblem, buildProblem } = provider;
    return {
      provider,
      shortfalls: [
        ...POLICY_SHORTFALLS[enforcement],
        ...imageShortfalls(imageProblem),
        ...buildShortfalls(buildProblem),
      ],
      facts: { enforcement },
    };
  },

  e2b: async (given, { owner, onProblem }) => {
    const { createE2bProvider } = await import('../e2b/provider.js');
    const provider = await createE2bProvider({
      apiKey: given.E2B_API_KEY ?? '',
      apiUrl: given.E2B_API_URL,
      templates: given.SANDBOX_TEMPLATES,
      defaultTemplate: given.E2B_TEMPLATE,
      insideTool: given.E2B_INSIDE_TOOL ?? (await insideToolForX64()),
      owner: owner ?? given.SANDBOX_OWNER,
      onProblem,
    });
    return { provider, shortfalls: [], facts: {} };
  },
};

const POLICY_SHORTFALLS = {
  enforced: [],
  not_enforced: [
    {
      problem:
        'the cluster does not enforce network policies: pods can reach the network, and no pack is given one',
      fix: 'install a network plugin that enforces NetworkPolicy',
    },
  ],
  unproven: [
    {
      problem: 'whether the cluster enforces network policies could not be seen: no pack is given a network',
      fix: 'let a pod with a policy that allows everything reach the API server',
    },
  ],
};

function imageShortfalls(reason: string | undefined): Shortfall[] {
  if (reason === undefined) return [];
  const problem = `packs with images are not run, because the cluster refuses their pods: ${reason}`;
  return [{ problem, fix: 'take the component pack-images of infra/k8s (docs/kubernetes.md)' }];
}

function buildShortfalls(reason: string | undefined): Shortfall[] {
  if (reason === undefined) return [];
  const problem = `packs with Dockerfiles are not run, because the cluster does not admit the jobs of their builds: ${reason}`;
  return [{ problem, fix: 'take the component image-builds of infra/k8s (docs/kubernetes.md)' }];
}

const BUILD_NETWORKS = { none: 'none', public: 'bounded', host: 'any' } as const;

function builderOf(given: Variables): BuilderOptions | undefined {
  const { SANDBOX_BUILDER_IMAGE: image, SANDBOX_BUILDER_REPOSITORY: repository } = given;
  if (image === undefined || repository === undefined) return undefined;
  return {
    image,
    repository,
    pullRepository: given.SANDBOX_BUILDER_PULL_REPOSITORY,
    isInsecure: given.SANDBOX_BUILDER_INSECURE,
    namespace: given.SANDBOX_BUILDER_NAMESPACE,
    secret: given.SANDBOX_BUILDER_SECRET,
    serviceAccount: given.SANDBOX_BUILDER_SERVICE_ACCOUNT,
    user: given.SANDBOX_BUILDER_USER,
    limits: {
      cpu: given.SANDBOX_BUILDER_CPU,
      memoryBytes: given.SANDBOX_BUILDER_MEMORY_BYTES,
      diskBytes: given.SANDBOX_BUILDER_DISK_BYTES,
    },
    network: BUILD_NETWORKS[given.SANDBOX_BUILD_NETWORK],
    runtimeClassName: given.SANDBOX_RUNTIME_CLASS,
    hasUserNamespaces: given.SANDBOX_USER_NAMESPACES,
    imagePullPolicy: given.SANDBOX_PULL_POLICY,
  };
}

function claimOf(given: Variables): DirectoriesClaim | undefined {
  const { AGENT_PACKAGES_CLAIM: name, AGENT_PACKAGES_DIR: directory } = given;
  if (name === undefined || directory === undefined) return undefined;
  return { name, directory, path: given.AGENT_PACKAGES_CLAIM_PATH };
}

async function accessOf(given: Variables): Promise<ApiAccess | undefined> {
  const { SANDBOX_API_URL: url, SANDBOX_API_TOKEN_FILE: tokenFile, SANDBOX_API_CA_FILE: caFile } = given;
  if (url === undefined) return undefined;
  return {
    url,
    ...(tokenFile !== undefined && { token: async () => (await readFile(tokenFile, 'utf8')).trim() }),
    ...(caFile !== undefined && { ca: await readFile(caFile, 'utf8') }),
  };
}

/** For the machines of the service, which are x64, on whatever machine this is. */
async function insideToolForX64(): Promise<string> {
  const [{ findNativeTools }, { defaultPaths }] = await Promise.all([
    import('../host/native-tools.js'),
    import('../host/config.js'),
  ]);
  const { cacheDir } = defaultPaths(process.getuid?.() === 0);
  return (await findNativeTools(cacheDir, { platform: 'linux-x64' })).inside;
}

function buildNetwork(
  { SANDBOX_BUILD_NETWORK: wanted }: Pick<Variables, 'SANDBOX_BUILD_NETWORK'>,
  egress: Egress | undefined,
): BuildNetwork | undefined {
  if (wanted === 'host') return 'host';
  if (wanted === 'none' || egress === undefined) return undefined;
  return { openProxy: () => egress.proxy({ policy: { kind: 'pack', allowlist: [] } }) };
}
