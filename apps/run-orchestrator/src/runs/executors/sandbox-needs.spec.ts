import type { Manifest } from '@agentclash/challengepack';
import { expect, test } from '@jest/globals';
import { publish, wordPack } from '../../testing/published-pack.js';
import { needsOfPack } from './sandbox-needs.js';

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
  expect(needsOfPack(manifest, [scripted])).toEqual({ packages: [], reachesOut: false });
  const sandbox = { sandbox_template_id: 'py', additional_packages: ['jq'] };
  expect(needsOfPack({ ...manifest, sandbox }, [scripted])).toEqual({
    template: 'py',
    packages: ['jq'],
    reachesOut: false,
  });
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
])('processes reach out: those %s', (_whose, pack, agent, reachesOut) => {
  expect(needsOfPack(pack, [agent]).reachesOut).toBe(reachesOut);
});
