import { hasPackages, platformsOf } from '@agentclash/agent-presets';
import {
  type AttemptPlan,
  effectivePolicy,
  mayReachOut,
  type PlannedImage,
  type PlannedPreset,
  scriptRuntimes,
  testRuntimes,
} from '@agentclash/attempt-plan';
import { type HarnessRuntime, type Manifest, readEvaluationSpec } from '@agentclash/challengepack';
import type { ExecutorReport } from '@agentclash/contracts';
import type { AgentSnapshot } from '../agents/agent-snapshot.js';
import type { NamedImage } from '../pack/pack-version.js';
import type { AdmissionProblem, Warning } from '../problems/admission-problem.js';

/** The requirements on an executor's sandboxes. */
export interface SandboxNeeds {
  /** Absent: any image will do. */
  template?: string;
  packages: readonly string[];
  /** An image that the pack names in place of these; present where it runs as root or not. */
  image?: ImageNeed;
  /** Of the scripts and of the harness that grade. */
  interpreters: readonly HarnessRuntime[];
  /** True when processes of the agent may have network. Without it they run with a warning. */
  reachesOut: boolean;
  /** The agent is one of a preset, whose packages its sandbox has to show. */
  agentPackages: boolean;
  /** The platform that these packages are for; absent: any. */
  platform?: string;
}

interface ImageNeed {
  asRoot: boolean;
  /** Where it is built from a Dockerfile. */
  build?: { hasNetwork: boolean };
}

type Agent = Pick<AgentSnapshot, 'kind' | 'profile'> & { config?: AgentSnapshot['config'] };

/** The requirements of the pack with these agents, and with the images of the cases that are run. */
export function needsOfPack(
  manifest: Manifest,
  agents: readonly Agent[],
  caseImages: readonly NamedImage[] = [],
): SandboxNeeds {
  const { sandbox = {}, tool_policy = {} } = manifest;
  const { network_access = false } = sandbox;
  const spec = readEvaluationSpec(manifest.evaluation_spec);
  const hasSandbox = manifest.version.execution_mode !== 'prompt_eval';
  const reachesOut = agents.some(({ kind, profile }) => {
    const narrowing = profile?.tool_policy ?? {};
    const policy = effectivePolicy({ tool_policy, sandbox: { network_access }, narrowing });
    return mayReachOut(policy, kind);
  });
  return {
    ...(sandbox.sandbox_template_id !== undefined && { template: sandbox.sandbox_template_id }),
    packages: sandbox.additional_packages ?? [],
    ...imageNeed([
      sandbox,
      ...manifest.challenges.map((challenge) => challenge.sandbox ?? {}),
      ...caseImages,
    ]),
    interpreters: unique([...scriptRuntimes(manifest, spec), ...testRuntimes(spec)]),
    reachesOut: hasSandbox && reachesOut,
    agentPackages: agents.some(hasAgentPackages),
    ...platformNeed(agents),
  };
}

/** The requirements of one attempt. */
export function needsOfPlan(plan: AttemptPlan): SandboxNeeds {
  const { sandbox_template_id, additional_packages } = plan.sandbox;
  return {
    ...(sandbox_template_id !== undefined && { template: sandbox_template_id }),
    packages: additional_packages,
    ...(plan.sandbox.image && { image: imageNeedOf(plan.sandbox.image) }),
    interpreters: unique([...(plan.script_runtimes ?? []), ...(plan.test_runtimes ?? [])]),
    reachesOut: plan.mode !== 'prompt_eval' && mayReachOut(effectivePolicy(plan), plan.agent.kind),
    agentPackages: hasAgentPackages(plan.agent),
    ...platformNeed([plan.agent]),
  };
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}

function imageNeed(sandboxes: readonly NamedImage[]): Pick<SandboxNeeds, 'image'> {
  const built = sandboxes.filter(({ dockerfile }) => dockerfile !== undefined);
  const named = sandboxes.filter(({ image }) => image !== undefined);
  if (built.length + named.length === 0) return {};
  const hasNetwork = built.some(({ build_network_access }) => build_network_access === true);
  const asRoot = [...built, ...named].some(({ run_as_root }) => run_as_root === true);
  return { image: { asRoot, ...(built.length > 0 && { build: { hasNetwork } }) } };
}

function imageNeedOf(image: PlannedImage): ImageNeed {
  const build = 'build' in image ? { build: { hasNetwork: image.build.network_access === true } } : {};
  return { asRoot: image.run_as_root, ...build };
}

function hasAgentPackages(agent: { config?: object }): boolean {
  const preset = presetIn(agent);
  return preset !== undefined && hasPackages(preset.definition);
}

function platformNeed(agents: readonly { config?: object }[]): Pick<SandboxNeeds, 'platform'> {
  const [platform] = agents.flatMap((agent) => {
    const preset = presetIn(agent);
    return preset === undefined ? [] : platformsOf(preset.definition);
  });
  return platform === undefined ? {} : { platform };
}

function presetIn({ config }: { config?: object }): PlannedPreset | undefined {
  return ((config ?? {}) as { preset?: PlannedPreset }).preset;
}

/** The executors at work, as far as they are known. */
export type Fleet = readonly Pick<ExecutorReport, 'provider' | 'capabilities' | 'images'>[];
type Executor = Fleet[number];

/** The command of an interpreter or compiler, and the Debian packages that bring it. */
const INTERPRETERS: Record<HarnessRuntime, { command: string; packages: RegExp; named: string }> = {
  python: { command: 'python3', packages: /^python3(?:\.\d+)?$/, named: 'python3' },
  node: { command: 'node', packages: /^nodejs$/, named: 'nodejs' },
  go: { command: 'go', packages: /^(?:golang|gccgo)/, named: 'golang-go' },
  rust: { command: 'cargo', packages: /^(?:cargo|rustup)/, named: 'cargo' },
};

const AGENT_PACKAGES = 'packages of coding agents in its sandbox';
const IMAGES = 'an image of its own (sandbox.image)';
const ROOT_IN_IMAGES = 'root in its image (sandbox.run_as_root)';
const BUILDS = 'an image that is built from its Dockerfile (sandbox.dockerfile)';
const NETWORK_IN_BUILDS = 'a network while its image is built (sandbox.build_network_access)';
const WITHOUT_IMAGES =
  'Executors with Docker have them, on Kubernetes with the component pack-images, and with bubblewrap as root on Linux 5.19 or newer (docs/sandbox.md).';
const WITHOUT_ROOT =
  'Executors with bubblewrap give it as root on Linux 5.19 or newer, and with Docker where the daemon has userns-remap or is rootless, else with SANDBOX_ROOT_IN_IMAGES=true (docs/sandbox.md).';
/** The requirements on images, with what makes up for each. */
const REMEDIES: ReadonlyMap<string, string> = new Map([
  [IMAGES, WITHOUT_IMAGES],
  [ROOT_IN_IMAGES, WITHOUT_ROOT],
  [
    BUILDS,
    'Install buildah where executors with bubblewrap run, give the Docker daemon userns-remap, set SANDBOX_BUILDER_IMAGE on Kubernetes, or build the image and name it as sandbox.image (docs/sandbox.md).',
  ],
  [
    NETWORK_IN_BUILDS,
    'Operators allow it with SANDBOX_BUILD_NETWORK=public, with Docker by =host (docs/sandbox.md).',
  ],
]);
/** The change that makes up for that, by sandbox provider. */
const WITHOUT_AGENT_PACKAGES: Readonly<Record<string, string>> = {
  kubernetes: 'Executors on Kubernetes have them when AGENT_PACKAGES_CLAIM is set (docs/kubernetes.md).',
  e2b: 'Executors on E2B never have them: name a template with the agent, and a preset without packages (docs/agents.md).',
};

/** True when every executor can do this but, perhaps, what grades. */
export function isPlain({
  template,
  packages,
  image,
  reachesOut,
  agentPackages,
  platform,
}: SandboxNeeds): boolean {
  const needsImage = template !== undefined || packages.length > 0 || image !== undefined;
  return !needsImage && !reachesOut && !agentPackages && platform === undefined;
}

/** The capability that the executor lacks to run such an attempt at all, in words; undefined when it can. */
export function missingRequirement(
  { capabilities, images }: Executor,
  needs: SandboxNeeds,
): string | undefined {
  const { template = null, packages, agentPackages, platform, interpreters } = needs;
  if (agentPackages && capabilities.agent_packages !== true) return AGENT_PACKAGES;
  const { platform: offered } = capabilities;
  if (platform !== undefined && offered !== undefined && offered !== platform)
    return `an executor on ${platform} for the packages of its coding agents`;
  if (needs.image !== undefined) return missingForImage(capabilities, needs.image);
  const image = images.find((each) => each.template === template);
  if (!image) return `the sandbox template "${template}"`;
  const missing = interpreters
    .map((runtime) => INTERPRETERS[runtime])
    .filter((each) => image.interpreters?.includes(each.command) === false)
    .filter((each) => !packages.some((name) => each.packages.test(name)));
  if (missing.length > 0) {
    const [commands, names] = [missing.map(({ command }) => command), missing.map(({ named }) => named)];
    return `${commands.join(', ')} in its sandbox, to grade (additional_packages: [${names.join(', ')}])`;
  }
  const absent = packages.filter((name) => !image.packages.includes(name));
  if ((image.installs ?? capabilities.packages) || absent.length === 0) return undefined;
  return `the packages ${absent.join(', ')} in its sandbox`;
}

function missingForImage(
  { images, image_builds, network_in_builds, root_in_images }: Executor['capabilities'],
  { asRoot, build }: ImageNeed,
): string | undefined {
  if (images !== true) return IMAGES;
  if (build && image_builds !== true) return BUILDS;
  if (build?.hasNetwork && network_in_builds !== true) return NETWORK_IN_BUILDS;
  return asRoot && root_in_images !== true ? ROOT_IN_IMAGES : undefined;
}

/** Why no executor can run the pack; `none` names those that were looked at. Undefined where none is registered. */
export function fleetProblem(
  fleet: Fleet,
  needs: SandboxNeeds,
  none = 'no executor at work',
): AdmissionProblem | undefined {
  const lacks = fleet.map((executor) => missingRequirement(executor, needs));
  const [lack] = lacks.filter((found) => found !== undefined).sort((a, b) => a.length - b.length);
  if (lack === undefined || lacks.includes(undefined)) return undefined;
  if (lack === AGENT_PACKAGES) {
    const providers = [...new Set(fleet.map(({ provider }) => provider))].sort();
    const remedies = providers.flatMap((provider) => WITHOUT_AGENT_PACKAGES[provider] ?? []);
    const message = [`The pack needs ${lack}, which ${none} has.`, ...remedies].join(' ');
    return { code: 'unsupported_capability', message };
  }
  const imageRemedy = REMEDIES.get(lack);
  if (imageRemedy !== undefined) {
    const message = `The pack needs ${lack}, which ${none} gives. ${imageRemedy}`;
    return { code: 'unsupported_capability', message };
  }
  const templates = fleet.flatMap(({ images }) => images.flatMap((image) => image.template ?? []));
  const offer =
    templates.length > 0
      ? `They have the templates ${[...new Set(templates)].sort().join(', ')}`
      : 'They have no templates';
  const installs = fleet.some(({ capabilities }) => capabilities.packages);
  const ofPackages = installs ? 'and can install packages' : 'and the packages of their images only';
  return {
    code: 'unsupported_capability',
    message: `The pack needs ${lack}, which ${none} has. ${offer}, ${ofPackages}.`,
  };
}

/** Warnings about the executors at the time of creation, for readers of the run's results. */
export function fleetWarnings(fleet: Fleet, needs: SandboxNeeds): Warning[] {
  if (fleet.length === 0) {
    const message = 'No executor was at work when the run was created: it waits for one.';
    return [{ code: 'no_executor', message }];
  }
  const able = fleet.filter((executor) => missingRequirement(executor, needs) === undefined);
  const offline = able.filter((executor) => isOffline(executor, needs));
  if (offline.length === 0) return [];
  return [offline.length === able.length ? OFFLINE : sandboxOffline('on some executors')];
}

/** True when processes of the attempt stay without the network that they were admitted to. */
export function isOffline({ capabilities }: Executor, { reachesOut }: SandboxNeeds): boolean {
  return reachesOut && !capabilities.egress_proxy;
}

function sandboxOffline(where: string): Warning {
  return {
    code: 'sandbox_offline',
    message: `Processes in the sandbox stay offline ${where}; only the tool http_request has network.`,
  };
}

export const OFFLINE = sandboxOffline('here');
