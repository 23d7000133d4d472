import { randomBytes } from 'node:crypto';
import type { Shortfall } from '../bubblewrap/host.js';
import type { IsolationLevel, SandboxCapabilities, SandboxProvider } from '../contract.js';
import type { ImageRight } from '../docker/image-rights.js';
import { isSandboxError } from '../sandbox-error.js';
import { SandboxEnvironment, type SandboxFacts } from './choice.js';
import { type IsolationReport, listIsolations } from './isolations.js';
import { PROVIDER_DEFAULT, Variables } from './variables.js';

const MIB = 1024 * 1024;

/** The properties of the sandboxes that the operator configured, for `doctor` and the like. Figures in milliseconds. */
export interface SandboxProbe {
  provider: string;
  /** `none`: no sandbox can run. */
  level: IsolationLevel | 'none';
  /** The missing or weak parts of the isolation, each with its remedy. */
  problems: readonly Shortfall[];
  bwrapVersion?: string;
  /** Of gVisor, and its platform, where sandboxes run on it. */
  gvisor?: { version: string; platform: string } | undefined;
  /** The images that packs may bring. */
  images?: { root: boolean; builds: boolean } | undefined;
  /** With Docker: root in images and Dockerfiles, what is on and what to set. */
  imageRights?: readonly ImageRight[] | undefined;
  /** All that sandboxes could have here; absent where the settings cannot be read. */
  isolations?: readonly IsolationReport[];
  createMs?: number;
  execMs?: number;
}

/** Really opens a sandbox of the provider that the environment chooses, and closes all again. Never throws. */
export async function probeSandbox(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<SandboxProbe> {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = SandboxEnvironment.safeParse(given);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    const fix = 'see docs/sandbox.md for the settings of each provider';
    const provider = given.SANDBOX_PROVIDER ?? PROVIDER_DEFAULT;
    return { provider, level: 'none', problems: problems.map((problem) => ({ problem, fix })) };
  }
  const { provider: name, open } = parsed.data.sandbox;
  const isolations = await listIsolations(Variables.parse(given));
  try {
    const { provider, shortfalls, facts, imageRights } = await open({
      owner: `doctor-${randomBytes(6).toString('hex')}`,
    });
    try {
      const version = facts.bwrap_version === undefined ? {} : { bwrapVersion: facts.bwrap_version };
      return {
        provider: provider.name,
        level: provider.isolation,
        problems: shortfalls,
        ...version,
        gvisor: gvisorOf(facts),
        images: imagesOf(provider.capabilities),
        imageRights,
        isolations,
        ...(await timed(provider)),
      };
    } finally {
      await provider.close();
    }
  } catch (error) {
    return { provider: name, level: 'none', problems: [explained(error)], isolations };
  }
}

function gvisorOf({
  runsc_version: version,
  runsc_platform: platform,
}: SandboxFacts): SandboxProbe['gvisor'] {
  return version === undefined || platform === undefined ? undefined : { version, platform };
}

function imagesOf(can: SandboxCapabilities): SandboxProbe['images'] {
  return can.images ? { root: can.rootInImages, builds: can.imageBuilds } : undefined;
}

async function timed(provider: SandboxProvider): Promise<{ createMs: number; execMs: number }> {
  const startedAt = performance.now();
  const session = await provider.create({
    limits: { cpu: 1, memoryBytes: 64 * MIB, pids: 32, workspaceBytes: MIB, wallMs: 30_000 },
    labels: { runId: 'probe', attemptId: 'probe' },
  });
  try {
    const createdAt = performance.now();
    await session.exec(['true']);
    return { createMs: createdAt - startedAt, execMs: performance.now() - createdAt };
  } finally {
    await session.destroy();
  }
}

function explained(error: unknown): Shortfall {
  const { message, cause } = error instanceof Error ? error : new Error(String(error));
  const problem = cause instanceof Error ? `${message}: ${cause.message}` : message;
  return { problem, fix: (isSandboxError(error) ? error.fix : undefined) ?? 'see the log of the service' };
}
