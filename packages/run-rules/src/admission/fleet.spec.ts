import type { Manifest } from '@agentclash/challengepack';
import { describe, expect, test } from '@jest/globals';
import { caseImages } from '../pack/pack-version.js';
import { publish, wordPack } from '../testing/published-pack.js';
import {
  type Fleet,
  fleetProblem,
  fleetWarnings,
  missingRequirement,
  needsOfPack,
  type SandboxNeeds,
} from './fleet.js';

const executor = (changes: {
  installs?: boolean;
  proxy?: boolean;
  agents?: boolean;
  platform?: string;
  images?: Fleet[number]['images'];
  runsImages?: 'as a user' | 'as root';
  builds?: 'without a network' | 'with a network';
  provider?: string;
}): Fleet[number] => ({
  provider: changes.provider ?? 'bubblewrap',
  capabilities: {
    packages: changes.installs ?? false,
    egress_proxy: changes.proxy ?? true,
    agent_packages: changes.agents ?? false,
    ...(changes.runsImages && { images: true, root_in_images: changes.runsImages === 'as root' }),
    ...(changes.builds && { image_builds: true, network_in_builds: changes.builds === 'with a network' }),
    ...(changes.platform !== undefined && { platform: changes.platform }),
  },
  images: [{ template: null, packages: ['jq', 'sed'] }, ...(changes.images ?? [])],
});
const needs = (changes: Partial<SandboxNeeds>): SandboxNeeds => ({
  packages: [],
  interpreters: [],
  reachesOut: false,
  agentPackages: false,
  ...changes,
});
const plain = executor({});
const withTemplate = executor({ images: [{ template: 'py', packages: ['python3'] }] });
const WITH_PYTHON: Fleet[number] = {
  ...plain,
  images: [{ template: null, packages: [], interpreters: ['python3'] }],
};
const codes = (fleet: Fleet, wanted: SandboxNeeds) => fleetWarnings(fleet, wanted).map(({ code }) => code);

describe('an executor can run', () => {
  test.each<[string, Fleet[number], Partial<SandboxNeeds>, string | undefined]>([
    ['a pack that needs nothing', plain, {}, undefined],
    ['packages that its image has', plain, { packages: ['jq'] }, undefined],
    ['no packages that it lacks', plain, { packages: ['jq', 'zip', 'nmap'] }, 'the packages zip, nmap'],
    ['any packages when it can install them', executor({ installs: true }), { packages: ['zip'] }, undefined],
    [
      'no packages in an image that accepts none',
      executor({ installs: true, images: [{ template: 'go', packages: [], installs: false }] }),
      { template: 'go', packages: ['zip'] },
      'the packages zip',
    ],
    [
      'no image where it runs none',
      plain,
      { image: { asRoot: false } },
      'an image of its own (sandbox.image)',
    ],
    ['an image as a user', executor({ runsImages: 'as a user' }), { image: { asRoot: false } }, undefined],
    [
      'no image as root where it cannot',
      executor({ runsImages: 'as a user' }),
      { image: { asRoot: true } },
      'root in its image (sandbox.run_as_root)',
    ],
    [
      'an image as root, whatever packages its own image has',
      executor({ runsImages: 'as root' }),
      { image: { asRoot: true }, interpreters: ['node'] },
      undefined,
    ],
    [
      'no build where it builds none',
      executor({ runsImages: 'as root' }),
      { image: { asRoot: false, build: { hasNetwork: false } } },
      'an image that is built from its Dockerfile (sandbox.dockerfile)',
    ],
    [
      'no build with a network where builds have none',
      executor({ runsImages: 'as root', builds: 'without a network' }),
      { image: { asRoot: false, build: { hasNetwork: true } } },
      'a network while its image is built (sandbox.build_network_access)',
    ],
    [
      'a build with a network',
      executor({ runsImages: 'as root', builds: 'with a network' }),
      { image: { asRoot: true, build: { hasNetwork: true } } },
      undefined,
    ],
    ['scripts with an interpreter that its image has', WITH_PYTHON, { interpreters: ['python'] }, undefined],
    ['scripts where it does not know its interpreters', plain, { interpreters: ['node'] }, undefined],
    [
      'no scripts with an interpreter that its image lacks',
      WITH_PYTHON,
      { interpreters: ['node', 'python'] },
      'node in its sandbox, to grade (additional_packages: [nodejs])',
    ],
    [
      'no hidden tests of a language whose compiler its image lacks',
      WITH_PYTHON,
      { interpreters: ['go', 'python', 'rust'] },
      'go, cargo in its sandbox, to grade (additional_packages: [golang-go, cargo])',
    ],
    [
      'hidden tests of a language whose compiler is a package that it can install',
      { ...WITH_PYTHON, capabilities: { packages: true, egress_proxy: true } },
      { interpreters: ['go', 'python', 'rust'], packages: ['golang-1.22-go', 'cargo-1.85'] },
      undefined,
    ],
    [
      'scripts whose interpreter is a package that it can install',
      { ...WITH_PYTHON, capabilities: { packages: true, egress_proxy: true } },
      { interpreters: ['node'], packages: ['nodejs'] },
      undefined,
    ],
    ['a template that it has', withTemplate, { template: 'py' }, undefined],
    ['no template that it lacks', withTemplate, { template: 'go' }, 'template "go"'],
    ['the packages of that template', withTemplate, { template: 'py', packages: ['python3'] }, undefined],
    ['no packages of another image', withTemplate, { template: 'py', packages: ['jq'] }, 'the packages jq'],
    [
      'coding agents when it can show their packages',
      executor({ agents: true }),
      { agentPackages: true },
      undefined,
    ],
    ['no coding agent when it cannot', plain, { agentPackages: true }, 'packages of coding agents'],
    [
      'no coding agent for another platform',
      executor({ agents: true, platform: 'linux-arm64' }),
      { agentPackages: true, platform: 'linux-x64' },
      'an executor on linux-x64',
    ],
    [
      'a coding agent for its own platform',
      executor({ agents: true, platform: 'linux-x64' }),
      { agentPackages: true, platform: 'linux-x64' },
      undefined,
    ],
    [
      'no pack with network when it has no proxy',
      executor({ proxy: false }),
      { reachesOut: true },
      undefined,
    ],
  ])('an executor can run %s', (_what, one, wanted, lack) => {
    const found = missingRequirement(one, needs(wanted));
    if (lack === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(lack);
  });
});

describe('a pack is refused', () => {
  test('a pack is refused when no executor can run it, with the missing and the present capabilities', () => {
    const problem = fleetProblem([plain, withTemplate], needs({ template: 'go' }));
    expect(problem).toMatchObject({ code: 'unsupported_capability' });
    expect(problem?.message).toContain('"go"');
    expect(problem?.message).toContain('the templates py');
  });

  test('a pack is refused for its coding agent with the setting that each provider at work lacks', () => {
    const wanted = needs({ agentPackages: true });
    const on = (...providers: string[]) =>
      fleetProblem(
        providers.map((provider) => executor({ provider })),
        wanted,
      )?.message;
    expect(on('kubernetes', 'kubernetes')).toBe(
      'The pack needs packages of coding agents in its sandbox, which no executor at work has. Executors on Kubernetes have them when AGENT_PACKAGES_CLAIM is set (docs/kubernetes.md).',
    );
    expect(on('e2b')).toContain('a preset without packages');
    expect(on('e2b')).not.toContain('AGENT_PACKAGES_CLAIM');
    expect(
      fleetProblem([executor({}), executor({ provider: 'kubernetes', agents: true })], wanted),
    ).toBeUndefined();
  });

  test('a pack is not refused when one of several executors can run it', () => {
    expect(fleetProblem([plain, withTemplate], needs({ template: 'py' }))).toBeUndefined();
  });

  test('a pack is not refused when nothing is known of executors', () => {
    expect(fleetProblem([], needs({ template: 'go', packages: ['zip'] }))).toBeUndefined();
  });
});

describe('a run is warned', () => {
  const offline = executor({ proxy: false });

  test('a run is warned of a missing executor', () => {
    expect(codes([], needs({ reachesOut: true }))).toEqual(['no_executor']);
  });

  test('a run is warned of processes without network, where some should have it', () => {
    expect(codes([offline], needs({ reachesOut: true }))).toEqual(['sandbox_offline']);
    expect(codes([plain, offline], needs({ reachesOut: true }))).toEqual(['sandbox_offline']);
    expect(codes([plain], needs({ reachesOut: true }))).toEqual([]);
    expect(codes([offline], needs({}))).toEqual([]);
  });

  test('a run is not warned of executors that cannot run it', () => {
    expect(codes([withTemplate, offline], needs({ reachesOut: true, template: 'py' }))).toEqual([]);
  });
});

type Agent = Parameters<typeof needsOfPack>[1][number];

const { manifest } = publish(wordPack(1));
const program = { kind: 'program', profile: null } as const;
const scripted = { kind: 'scripted', profile: null } as const;
const online: Manifest = {
  ...manifest,
  sandbox: { network_access: true },
  tool_policy: { allow_shell: true },
};
const prompt: Manifest = { ...online, version: { ...online.version, execution_mode: 'prompt_eval' } };

test('a pack needs the template and the packages that it names', () => {
  expect(needsOfPack(manifest, [scripted])).toEqual({
    packages: [],
    interpreters: [],
    reachesOut: false,
    agentPackages: false,
  });
  const sandbox = { sandbox_template_id: 'py', additional_packages: ['jq'] };
  expect(needsOfPack({ ...manifest, sandbox }, [scripted])).toEqual({
    template: 'py',
    packages: ['jq'],
    interpreters: [],
    reachesOut: false,
    agentPackages: false,
  });
});

test.each([
  ['exec agentclash-grade calls --tests t --code a.py', ['python']],
  ['exec agentclash-grade node_test --tests t --code a.mjs', ['node', 'python']],
  ['exec agentclash-grade go_test --tests t --code .', ['go', 'python']],
  ['exec agentclash-grade cargo_test --tests t --code .', ['python', 'rust']],
  ['python3 tests.py', []],
])('a pack that is graded by the command %s needs %j', (test_command, interpreters) => {
  const tests = { key: 'tests', type: 'code_execution', config: { test_command } };
  const evaluation_spec = { ...manifest.evaluation_spec, validators: [tests] };
  expect(needsOfPack({ ...manifest, evaluation_spec }, [scripted]).interpreters).toEqual(interpreters);
});

test('a pack needs images and builds for whichever of its cases are run', () => {
  const image = `debian@sha256:${'0'.repeat(64)}`;
  const build = { dockerfile: 'env/Dockerfile', build_network_access: true };
  const needed = (...of: NonNullable<Parameters<typeof needsOfPack>[2]>) =>
    needsOfPack(manifest, [scripted], of).image;
  expect(needed()).toBeUndefined();
  expect(needed({ image })).toEqual({ asRoot: false });
  expect(needed({ image, run_as_root: true }, build)).toEqual({ asRoot: true, build: { hasNetwork: true } });
  const [one] = manifest.input_sets;
  const [first] = one?.cases ?? [];
  if (one === undefined || first === undefined) throw new Error('the pack has no case');
  const cases = [{ sandbox: build }, { sandbox: { ...build, cpu: 2 } }, { sandbox: { cpu: 1 } }, {}].map(
    (more) => ({
      ...first,
      ...more,
    }),
  );
  const images = caseImages({
    input_sets: [
      { ...one, cases },
      { ...one, key: 'other' },
    ],
  });
  expect(images.get(one.key)).toEqual([build]);
  expect(images.get('other')).toEqual([]);
});

test('a coding agent needs its packages, unless its preset runs what the image has', () => {
  const preset = { name: 'a', title: 'A', wires: ['chat'], command: ['run'] } as const;
  const of = (changes: object) => {
    const definition = { ...preset, packages: [], node: false, ...changes };
    return needsOfPack(manifest, [{ ...program, config: { command: [], preset: { definition } } } as never]);
  };
  expect(of({})).toMatchObject({ agentPackages: false });
  expect(of({ node: true })).toMatchObject({ agentPackages: true });
  expect(of({ lockfile: 'a.lock.json' })).toMatchObject({ agentPackages: true });
});

test.each<[string, Manifest, Agent, boolean]>([
  ['of a program', online, program, true],
  ['of a program, also without shell', { ...online, tool_policy: {} }, program, true],
  ['of an agent with shell', online, scripted, true],
  ['not of an agent without shell', { ...online, tool_policy: {} }, scripted, false],
  ['not of a pack without network', { ...online, sandbox: { network_access: false } }, program, false],
  [
    'not of an agent whose profile denies shell',
    online,
    { ...scripted, profile: { tool_policy: { allow_shell: false } } },
    false,
  ],
  [
    'not of an agent whose profile denies network',
    online,
    { ...program, profile: { tool_policy: { allow_network: false } } },
    false,
  ],
  ['not of an endpoint, which has no sandbox', online, { ...scripted, kind: 'endpoint' }, false],
  ['not of a prompt, which has none either', prompt, scripted, false],
])('processes reach the network: those %s', (_whose, pack, agent, reachesOut) => {
  expect(needsOfPack(pack, [agent]).reachesOut).toBe(reachesOut);
});
