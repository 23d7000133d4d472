import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { SandboxEnvironment } from './choice.js';

const CLUSTER = {
  SANDBOX_PROVIDER: 'kubernetes',
  SANDBOX_NAMESPACE: 'sandboxes',
  SANDBOX_IMAGE: 'debian:12',
  SANDBOX_INSIDE_IMAGE: 'agentclash/inside',
};
const choose = (environment: Record<string, string>) => SandboxEnvironment.parse(environment).sandbox;
const problemsOf = (environment: Record<string, string>) =>
  SandboxEnvironment.safeParse(environment).error?.issues.map(({ path }) => path.join('.'));

describe('the choice of a sandbox provider', () => {
  test('the default sandbox provider is bubblewrap', () => {
    expect(choose({}).provider).toBe('bubblewrap');
  });

  test.each<[Record<string, string>, string]>([
    [CLUSTER, 'kubernetes'],
    [{ SANDBOX_PROVIDER: 'e2b', E2B_API_KEY: 'k' }, 'e2b'],
    [{ SANDBOX_PROVIDER: 'docker' }, 'docker'],
    [{ SANDBOX_TEMPLATES: 'node=/srv/node, python=/srv/python' }, 'bubblewrap'],
  ])('the environment %j selects the provider %s', (environment, provider) => {
    expect(choose(environment).provider).toBe(provider);
  });

  test.each<[Record<string, string>, string[]]>([
    [{ SANDBOX_PROVIDER: 'podman' }, ['SANDBOX_PROVIDER']],
    [{ SANDBOX_PROVIDER: 'docker', SANDBOX_DOCKER_POOL: '-1' }, ['SANDBOX_DOCKER_POOL']],
    [{ ...CLUSTER, SANDBOX_POD_POOL: '65' }, ['SANDBOX_POD_POOL']],
    [{ SANDBOX_PROVIDER: 'e2b' }, ['E2B_API_KEY']],
    [{ SANDBOX_ISOLATION: 'kata' }, ['SANDBOX_ISOLATION']],
    [{ SANDBOX_RUNSC: 'runsc' }, ['SANDBOX_RUNSC']],
    [{ ...CLUSTER, SANDBOX_ISOLATION: 'gvisor' }, ['SANDBOX_ISOLATION']],
    [{ SANDBOX_PROVIDER: 'kubernetes' }, ['SANDBOX_NAMESPACE', 'SANDBOX_IMAGE', 'SANDBOX_INSIDE_IMAGE']],
    [{ ...CLUSTER, SANDBOX_NAMESPACE: '../x' }, ['SANDBOX_NAMESPACE']],
    [{ ...CLUSTER, SANDBOX_INSIDE_PATH: 'inside' }, ['SANDBOX_INSIDE_PATH']],
    [{ ...CLUSTER, SANDBOX_STRONG_ISOLATION: 'yes' }, ['SANDBOX_STRONG_ISOLATION']],
    [{ ...CLUSTER, SANDBOX_API_URL: 'ftp://x' }, ['SANDBOX_API_URL']],
    [{ ...CLUSTER, SANDBOX_UIDS: '100000' }, ['SANDBOX_UIDS']],
    [{ ...CLUSTER, SANDBOX_UIDS: '0-65535' }, ['SANDBOX_UIDS']],
    [{ ...CLUSTER, SANDBOX_UIDS: '100000-100001' }, ['SANDBOX_UIDS']],
    [{ ...CLUSTER, SANDBOX_UIDS: '100000-4294967295' }, ['SANDBOX_UIDS']],
    [{ ...CLUSTER, SANDBOX_CPU_REQUEST_SHARE: '0' }, ['SANDBOX_CPU_REQUEST_SHARE']],
    [{ ...CLUSTER, SANDBOX_CPU_REQUEST_SHARE: '2' }, ['SANDBOX_CPU_REQUEST_SHARE']],
    [{ ...CLUSTER, SANDBOX_BUILDER_IMAGE: 'builder:1' }, ['SANDBOX_BUILDER_REPOSITORY']],
    [{ ...CLUSTER, SANDBOX_BUILDER_REPOSITORY: 'registry.example/a:tag' }, ['SANDBOX_BUILDER_REPOSITORY']],
    [{ ...CLUSTER, SANDBOX_BUILDER_USER: 'other' }, ['SANDBOX_BUILDER_USER']],
    [{ SANDBOX_TEMPLATES: 'node' }, ['SANDBOX_TEMPLATES']],
    [{ ...CLUSTER, AGENT_PACKAGES_CLAIM: 'agent-packages' }, ['AGENT_PACKAGES_DIR']],
    [{ ...CLUSTER, AGENT_PACKAGES_CLAIM: 'Bad_name', AGENT_PACKAGES_DIR: '/x' }, ['AGENT_PACKAGES_CLAIM']],
    [{ ...CLUSTER, AGENT_PACKAGES_CLAIM_PATH: '../x' }, ['AGENT_PACKAGES_CLAIM_PATH']],
    [{ ...CLUSTER, AGENT_PACKAGES_CLAIM_PATH: 'a/..' }, ['AGENT_PACKAGES_CLAIM_PATH']],
    [{ ...CLUSTER, AGENT_PACKAGES_CLAIM_PATH: '/a' }, ['AGENT_PACKAGES_CLAIM_PATH']],
  ])('the environment %j is refused with the variables %j', (environment, variables) => {
    expect(problemsOf(environment)).toEqual(variables);
  });

  test('the directory of agent packages is the same for the executor and its pods', () => {
    const claimed = {
      ...CLUSTER,
      AGENT_PACKAGES_DIR: '/agent-packages',
      AGENT_PACKAGES_CLAIM: 'agent-packages',
      AGENT_PACKAGES_CLAIM_PATH: 'shared/..agents/v1',
    };
    expect(choose(claimed).agentPackagesDirectory).toBe('/agent-packages');
    expect(choose({}).agentPackagesDirectory).toBeUndefined();
  });

  test('the choice of a sandbox provider is printed without its credentials', () => {
    const choice = choose({ SANDBOX_PROVIDER: 'e2b', E2B_API_KEY: 'very-secret' });
    expect(inspect(choice, { depth: null, showHidden: true }) + JSON.stringify(choice)).not.toContain(
      'very-secret',
    );
  });
});
