import { builtinPresets } from '@agentclash/agent-presets';
import type { Manifest } from '@agentclash/challengepack';
import { describe, expect, test } from '@jest/globals';
import { conversationPack, HUMAN_PHASE, publish, wordPack } from '../testing/published-pack.js';
import {
  agentWarnings,
  capabilityProblem,
  compatibilityProblem,
  conversationProblem,
  requestWarnings,
  sizeProblem,
} from './run-admission.js';

const { manifest } = publish(wordPack(1));
const native = manifest.version;
const program = { name: 'p', kind: 'program' } as const;
const scripted = { name: 's', kind: 'scripted' } as const;

describe('a pack', () => {
  test('a pack of a supported mode without special requirements is admitted', () => {
    expect(capabilityProblem(manifest)).toBeUndefined();
    for (const execution_mode of ['responses', 'prompt_eval', 'multi_turn'] as const) {
      expect(capabilityProblem({ ...manifest, version: { ...native, execution_mode } })).toBeUndefined();
    }
  });

  test('a pack that needs voice is rejected with an error that names it', () => {
    const problem = capabilityProblem({ ...manifest, modality: 'voice' });
    expect(problem).toMatchObject({
      code: 'unsupported_capability',
      message: expect.stringContaining('voice'),
    });
  });

  test.each([
    [100_000, undefined],
    [100_001, 'invalid_input'],
  ])('a pack with %d attempts has the problem: %s', (cases, code) => {
    expect(sizeProblem({ agents: 1, cases, repetitions: 1 })?.code).toBe(code);
  });

  test('a pack of mode prompt_eval accepts no program', () => {
    const prompt = { ...manifest, version: { ...native, execution_mode: 'prompt_eval' as const } };
    expect(compatibilityProblem(prompt, [scripted, program])).toMatchObject({
      code: 'incompatible_deployment',
      message: expect.stringContaining('"p"'),
    });
    expect(compatibilityProblem(prompt, [scripted])).toBeUndefined();
    expect(compatibilityProblem(manifest, [program])).toBeUndefined();
  });

  test('A pack with a person accepts no program of ACP, and one of mode multi_turn a preset by ACP alone', () => {
    const talks = publish(conversationPack([HUMAN_PHASE])).manifest;
    const acp = { ...program, config: { command: ['x'], protocol: 'acp' as const } };
    const plain = { ...program, config: { command: ['x'] } };
    const [definition] = [...builtinPresets().values()];
    if (definition === undefined) throw new Error('there is no preset');
    const preset = { ...program, config: { command: [], preset: { definition } } };
    expect(conversationProblem(talks, { hasPerson: true, agents: [scripted, plain] })).toBeUndefined();
    expect(conversationProblem(talks, { hasPerson: true, agents: [plain, acp] })).toEqual({
      code: 'incompatible_deployment',
      message: expect.stringContaining(
        'The deployment "p" is a program with "protocol: acp", which cannot wait',
      ),
    });
    expect(conversationProblem(talks, { hasPerson: false, agents: [acp] })).toBeUndefined();
    expect(conversationProblem(talks, { hasPerson: false, agents: [preset] })).toMatchObject({
      code: 'incompatible_deployment',
      message: expect.stringContaining(definition.name),
    });
    expect(conversationProblem(manifest, { hasPerson: true, agents: [acp, preset] })).toBeUndefined();
    const speaking = { name: 'g', acp: { command: ['x'] } } as typeof definition;
    const configOf = (protocol?: 'acp') => ({
      ...program,
      config: { command: [], preset: { definition: speaking }, ...(protocol && { protocol }) },
    });
    expect(conversationProblem(talks, { hasPerson: false, agents: [configOf('acp')] })).toBeUndefined();
    expect(conversationProblem(talks, { hasPerson: false, agents: [configOf()] })).toMatchObject({
      message: expect.stringContaining('the preset g on one task, without turns'),
    });
    expect(conversationProblem(talks, { hasPerson: false, agents: [configOf()] })?.message).toContain(
      'add "protocol: acp" to its config',
    );
    expect(conversationProblem(talks, { hasPerson: true, agents: [configOf('acp')] })?.message).toContain(
      'cannot wait for a person',
    );
  });

  test('a pack without shell warns about programs, one with shell does not', () => {
    const codes = (pack: Manifest) => agentWarnings(pack, [scripted, program]).map(({ code }) => code);
    expect(codes(manifest)).toEqual(['program_exceeds_tool_policy']);
    expect(codes({ ...manifest, tool_policy: { allow_shell: true } })).toEqual([]);
  });

  test('a pack without shell warns about all lanes with programs once, by their names', () => {
    const lanes = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ ...program, name: `p/${at + 1}` }));
    const [two, ...others] = agentWarnings(manifest, [...lanes(2), scripted]);
    expect(two?.message).toContain('The programs "p/1" and "p/2" start processes');
    expect(others).toEqual([]);
    const [many] = agentWarnings(manifest, lanes(12));
    expect(many?.message).toContain('"p/9", "p/10" and 2 more start processes');
  });
});

test('a server of tools that the policy of the pack does not admit is a warning', () => {
  const url = { name: 'tickets', url: 'https://tickets.example.com/mcp' };
  const command = { name: 'math', command: ['python3'] };
  const mcp_servers = [url, command];
  const warned = (pack: Manifest, kind: 'model' | 'program') =>
    agentWarnings(pack, [{ name: 'a', kind, mcp_servers }])
      .filter(({ code }) => code === 'mcp_server_not_admitted')
      .map(({ message }) => /The MCP server "(\w+)" of "a" .* the kind (\w+)/.exec(message)?.slice(1));
  expect(warned(manifest, 'model')).toEqual([
    ['tickets', 'network'],
    ['math', 'shell'],
  ]);
  expect(warned(manifest, 'program')).toEqual([['tickets', 'network']]);
  const lanes = ['a', 'b', 'c'].map((name) => ({ name, kind: 'model' as const, mcp_servers }));
  expect(agentWarnings(manifest, lanes)).toEqual([
    expect.objectContaining({
      message: expect.stringContaining('"tickets" of "a", "b" and "c" is not started'),
    }),
    expect.objectContaining({
      message: expect.stringContaining('"math" of "a", "b" and "c" is not started'),
    }),
  ]);
  const open = { ...manifest, tool_policy: { allow_shell: true }, sandbox: { network_access: true } };
  expect(warned(open, 'model')).toEqual([]);
  const ofPack = (pack: Manifest) =>
    agentWarnings({ ...pack, tools: { mcp_servers } }, [
      { name: 'm', kind: 'model' },
      { name: 's', kind: 'scripted' },
      { name: 'e', kind: 'endpoint' },
      { name: 'p', kind: 'program' },
    ]).flatMap(({ code, message }) => (code === 'mcp_server_not_admitted' ? [message] : []));
  const network =
    'the pack does not admit the kind network, which needs sandbox.network_access: true and a tool policy that does not leave it out.';
  const shell = "the pack's tool policy does not admit the kind shell.";
  expect(ofPack(manifest)).toEqual([
    `The MCP server "tickets" of the pack is not started for "m", "s" and "p": ${network}`,
    `The MCP server "math" of the pack is not started for "m" and "s": ${shell}`,
  ]);
  expect(ofPack(open)).toEqual([]);
});

test('a race context that no agent of the run can receive is a warning', () => {
  const model = { name: 'm', kind: 'model' } as const;
  const codes = (pack: Manifest, agents: Parameters<typeof requestWarnings>[2], race_context = true) =>
    requestWarnings({ race_context }, pack, agents).map(({ code }) => code);
  const prompt = { ...manifest, version: { ...native, execution_mode: 'responses' as const } };
  expect(codes(manifest, [scripted, model])).toEqual([]);
  expect(codes(manifest, [scripted])).toEqual(['race_context_ignored']);
  expect(codes(prompt, [model])).toEqual(['race_context_ignored']);
  expect(codes(prompt, [model], false)).toEqual([]);
});
