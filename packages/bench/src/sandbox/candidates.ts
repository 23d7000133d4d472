import { SandboxEnvironment, type SandboxProvider } from '@agentclash/sandbox';

/** One way to have sandboxes, as the variables of an executor that choose it. */
export interface Candidate {
  /** For keys of figures. */
  key: string;
  name: string;
  variables: Readonly<Record<string, string>>;
}

const DOCKER = { SANDBOX_PROVIDER: 'docker' };
const PODS = { SANDBOX_PROVIDER: 'kubernetes' };
const ON_RUNSC = { ...DOCKER, SANDBOX_DOCKER_RUNTIME: 'runsc' };
const WITHOUT_POOL = { SANDBOX_DOCKER_POOL: '0' };
const WITH_POOL = { SANDBOX_DOCKER_POOL: '4' };

export const CANDIDATES: readonly Candidate[] = [
  { key: 'bubblewrap', name: 'bubblewrap', variables: { SANDBOX_PROVIDER: 'bubblewrap' } },
  {
    key: 'gvisor',
    name: 'gvisor',
    variables: { SANDBOX_PROVIDER: 'bubblewrap', SANDBOX_ISOLATION: 'gvisor' },
  },
  { key: 'docker', name: 'docker', variables: { ...DOCKER, ...WITHOUT_POOL } },
  { key: 'docker_pool', name: 'docker, pool', variables: { ...DOCKER, ...WITH_POOL } },
  { key: 'docker_runsc', name: 'docker+runsc', variables: { ...ON_RUNSC, ...WITHOUT_POOL } },
  { key: 'docker_runsc_pool', name: 'docker+runsc, pool', variables: { ...ON_RUNSC, ...WITH_POOL } },
  { key: 'kubernetes', name: 'kubernetes', variables: { ...PODS, SANDBOX_POD_POOL: '0' } },
  { key: 'kubernetes_pool', name: 'kubernetes, pool', variables: { ...PODS, SANDBOX_POD_POOL: '4' } },
  { key: 'e2b', name: 'e2b', variables: { SANDBOX_PROVIDER: 'e2b' } },
];

export type Opened = { provider: SandboxProvider } | { missing: string };

/** Opens it with the variables of the operator for all else; `missing` has the reason why it cannot be opened. Never throws. */
export async function open(
  { key, variables }: Candidate,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Opened> {
  const isGvisor = variables.SANDBOX_ISOLATION !== undefined;
  const { SANDBOX_ISOLATION: _, ...given } = environment;
  const parsed = SandboxEnvironment.safeParse({ ...(isGvisor ? environment : given), ...variables });
  if (!parsed.success) {
    return {
      missing: parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; '),
    };
  }
  try {
    const { provider } = await parsed.data.sandbox.open({ owner: `bench-${key.replaceAll('_', '-')}` });
    return { provider };
  } catch (error) {
    const { message, fix } = error as Error & { fix?: string };
    return { missing: fix === undefined ? message : `${message}: ${fix}` };
  }
}
