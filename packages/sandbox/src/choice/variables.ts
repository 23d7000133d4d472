import { hostname } from 'node:os';
import { z } from 'zod';
import { BUILD_DEFAULTS } from '../kubernetes/build-defaults.js';

const yesOrNo = z.enum(['true', 'false']).transform((value) => value === 'true');
const namespace = z.string().regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, 'must be the name of a namespace');
const repository = z
  .string()
  .regex(
    /^[a-zA-Z0-9][a-zA-Z0-9.-]*(?::\d{1,5})?(?:\/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)+$/,
    'must be a registry and a repository without tag, such as registry.example.com/agentclash/built',
  );
const url = z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// url' });

/** `name=where,name=where`: a directory for bubblewrap, an image for docker and kubernetes, a template's id for e2b. */
const templates = z.string().transform((text, context): Record<string, string> => {
  const entries = text.split(',').map((entry) => entry.trim());
  return Object.fromEntries(
    entries
      .filter((entry) => entry !== '')
      .map((entry) => {
        const [, name, where] = /^([^=\s]+)=(\S+)$/.exec(entry) ?? [];
        if (name !== undefined && where !== undefined) return [name, where];
        context.addIssue({ code: 'custom', message: `must be name=where,name=where; this is not: ${entry}` });
        return [entry, ''];
      }),
  );
});

const UID_MAX = 2 ** 31 - 1;
const UIDS_MIN = 1_000;

const uids = z.string().transform((text, context) => {
  const [, first, last] = (/^(\d{1,10})-(\d{1,10})$/.exec(text) ?? []).map(Number);
  const isRange = first !== undefined && last !== undefined && first > 1000 && last <= UID_MAX;
  if (isRange && last - first + 1 >= UIDS_MIN) return { first, last };
  const message = `must be a range first-last of at least ${UIDS_MIN} uids above 1000, such as 100000-165535`;
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

/** Bubblewrap needs Linux; elsewhere Docker Desktop and its like bring a machine of their own. */
export const PROVIDER_DEFAULT = process.platform === 'linux' ? 'bubblewrap' : 'docker';

/** All environment variables by which an executor opens sandboxes. */
export const Variables = z.object({
  SANDBOX_PROVIDER: z.enum(['bubblewrap', 'docker', 'kubernetes', 'e2b']).default(PROVIDER_DEFAULT),
  /** Of bubblewrap: what is between sandboxes and the kernel of this machine. */
  SANDBOX_ISOLATION: z.enum(['namespaces', 'gvisor']).default('namespaces'),
  /** The program of gVisor; default: the first `runsc` that is found. */
  SANDBOX_RUNSC: z.string().startsWith('/', 'must be an absolute path').optional(),
  SANDBOX_TEMPLATES: templates.prefault(''),
  /** Whose sandboxes in a cluster or account these are: stable over restarts, unique among live executors. */
  SANDBOX_OWNER: z
    .string()
    .min(1)
    .max(200)
    .prefault(() => hostname()),

  /** Where bubblewrap keeps the images of packs, unpacked; default: beside the cache of sandboxes. */
  SANDBOX_IMAGES_DIR: z.string().startsWith('/', 'must be an absolute path').optional(),
  /** The size of the images there, in bytes; beyond it those that were unused for longest are removed. */
  SANDBOX_IMAGES_BYTES_MAX: z.coerce.number().int().positive().optional(),
  /** Directories in the layout of OCI that have images, separated by commas; before any registry. */
  SANDBOX_IMAGE_LAYOUTS: z
    .string()
    .prefault('')
    .transform((text) =>
      text
        .split(',')
        .map((each) => each.trim())
        .filter((each) => each !== ''),
    ),
  /** `none`: images come from layouts and `agentclash image load` alone. */
  SANDBOX_REGISTRIES: z.enum(['any', 'none']).default('any'),
  /** A JSON file with `{"REGISTRY": {"username": …, "password": …}}`. */
  SANDBOX_REGISTRY_CREDENTIALS: z.string().optional(),

  /**
   * Of builds of Dockerfiles that require one. `public`: public addresses by HTTP and HTTPS, through the guarded client;
   * `host`: the network of this machine, with all that it reaches.
   */
  SANDBOX_BUILD_NETWORK: z.enum(['none', 'public', 'host']).default('none'),

  /** Where the Docker daemon listens, as for the Docker command line; default: the socket of this machine. */
  DOCKER_HOST: z.string().optional(),
  DOCKER_TLS_VERIFY: z.string().optional(),
  DOCKER_CERT_PATH: z.string().optional(),
  /** A runtime that is registered with the daemon, such as `runsc`; default: the daemon's default. */
  SANDBOX_DOCKER_RUNTIME: z.string().min(1).optional(),
  /** Started containers that wait for attempts, for each kind of sandbox. 0: none. */
  SANDBOX_DOCKER_POOL: z.coerce.number().int().min(0).max(64).default(2),

  SANDBOX_NAMESPACE: namespace.optional(),
  SANDBOX_IMAGE: z.string().optional(),
  SANDBOX_INSIDE_IMAGE: z.string().optional(),
  SANDBOX_INSIDE_PATH: z.string().startsWith('/', 'must be an absolute path').default('/inside'),
  /** The objects that sandboxes are in the cluster. */
  SANDBOX_OBJECTS: z.enum(['pods', 'sandboxes']).default('pods'),
  /** Started pods that wait for attempts, for each kind of sandbox; twice as many of all kinds. 0: none. */
  SANDBOX_POD_POOL: z.coerce.number().int().min(0).max(64).default(0),
  SANDBOX_PULL_POLICY: z.enum(['Always', 'IfNotPresent', 'Never']).optional(),
  SANDBOX_RUNTIME_CLASS: z.string().optional(),
  SANDBOX_STRONG_ISOLATION: yesOrNo.prefault('false'),
  SANDBOX_USER_NAMESPACES: yesOrNo.prefault('false'),
  /** Packs may run images as root also in pods and containers with neither a user namespace nor a kernel of their own. */
  SANDBOX_ROOT_IN_IMAGES: yesOrNo.prefault('false'),
  /**
   * A uid of its own for each pod, out of a range such as `100000-165535`: what the kernel counts by user is each
   * one's own.
   */
  SANDBOX_UIDS: uids.optional(),
  /** The part of its CPU limit that a pod reserves on its node. */
  SANDBOX_CPU_REQUEST_SHARE: z.coerce
    .number()
    .min(0.01, 'must be from 0.01 to 1')
    .max(1, 'must be from 0.01 to 1')
    .default(1),
  /** Builds Dockerfiles in jobs of the cluster: an image with buildah and skopeo. Default: none are built. */
  SANDBOX_BUILDER_IMAGE: z.string().min(1).optional(),
  /** Where built images are pushed, such as `registry.example.com/agentclash/built`. */
  SANDBOX_BUILDER_REPOSITORY: repository.optional(),
  /** The same as nodes name it; default: that repository. */
  SANDBOX_BUILDER_PULL_REPOSITORY: repository.optional(),
  /** That registry has no TLS. */
  SANDBOX_BUILDER_INSECURE: yesOrNo.prefault('false'),
  SANDBOX_BUILDER_NAMESPACE: namespace.default('agentclash-builds'),
  /** A secret there with the credentials of registries, for pushes and base images. */
  SANDBOX_BUILDER_SECRET: z.string().min(1).optional(),
  SANDBOX_BUILDER_SERVICE_ACCOUNT: z.string().min(1).optional(),
  /** Of the container that builds: a user with a user namespace, or root with CAP_SYS_ADMIN. */
  SANDBOX_BUILDER_USER: z.enum(['rootless', 'root']).default('rootless'),
  SANDBOX_BUILDER_CPU: z.coerce.number().positive().default(BUILD_DEFAULTS.cpu),
  SANDBOX_BUILDER_MEMORY_BYTES: z.coerce.number().int().positive().default(BUILD_DEFAULTS.memoryBytes),
  SANDBOX_BUILDER_DISK_BYTES: z.coerce.number().int().positive().default(BUILD_DEFAULTS.diskBytes),
  /** An API server other than that of the pod this process runs in. */
  SANDBOX_API_URL: url.optional(),
  SANDBOX_API_TOKEN_FILE: z.string().optional(),
  SANDBOX_API_CA_FILE: z.string().optional(),

  /** Where packages of coding agents are kept; default: beside the cache of sandboxes. */
  AGENT_PACKAGES_DIR: z.string().min(1).optional(),
  /** The claim in the namespace of sandboxes whose volume is mounted there, for pods that show those packages. */
  AGENT_PACKAGES_CLAIM: z
    .string()
    .regex(/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/, 'must be the name of a claim')
    .optional(),
  /** The part of that volume that is mounted there; default: all of it. */
  AGENT_PACKAGES_CLAIM_PATH: z
    .string()
    .regex(
      /^(?!\.\.?(?:\/|$))[\w.-]+(?:\/(?!\.\.?(?:\/|$))[\w.-]+)*$/,
      'must be a relative path without . and ..',
    )
    .optional(),

  E2B_API_KEY: z.string().optional(),
  E2B_API_URL: url.optional(),
  E2B_TEMPLATE: z.string().optional(),
  /** The process inside as a static program; default: compiled here. */
  E2B_INSIDE_TOOL: z.string().optional(),
});
export type Variables = z.infer<typeof Variables>;
export type ProviderName = Variables['SANDBOX_PROVIDER'];

export const NEEDED: Readonly<Record<ProviderName, readonly (keyof Variables)[]>> = {
  bubblewrap: [],
  docker: [],
  kubernetes: ['SANDBOX_NAMESPACE', 'SANDBOX_IMAGE', 'SANDBOX_INSIDE_IMAGE'],
  e2b: ['E2B_API_KEY'],
};
