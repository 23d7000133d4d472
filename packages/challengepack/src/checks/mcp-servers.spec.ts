import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { digestOf } from '../publish/digest.js';
import { publishDecision } from '../publish/publish-decision.js';
import type { ReadOptions } from '../read/read-pack.js';
import { expectConforming } from '../testing/conformance.js';
import {
  EXAMPLE,
  findingsIn,
  manifestWith,
  placedFindingsIn,
  problemsIn,
  set,
} from '../testing/example-pack.js';
import { type Patch, patched } from '../testing/vectors/patch.js';

const AT = 'tools.mcp_servers';
const SHELL = set('version.tool_policy', { allow_shell: true });
const NETWORK = set('version.sandbox', { network_access: true });
const OPEN = [SHELL, NETWORK];
const ASSETS = set('version.assets', [
  { key: 'code', path: 'servers/units.py' },
  { key: 'data', path: 'units.json' },
]);

const command = (more: object = {}) => ({ name: 'units', command: ['python3', '/mcp/units/a.py'], ...more });
const remote = (more: object = {}) => ({ name: 'tickets', url: 'https://tickets.example.com/mcp', ...more });

/** The findings of a pack with these servers, without the path of the list. */
function inServers(servers: unknown, patches: readonly Patch[] = OPEN, options?: ReadOptions): string[] {
  const found = findingsIn([...patches, set(AT, servers)], options);
  return found.filter((each) => !each.endsWith('unused_asset')).map((finding) => finding.replace(AT, ''));
}

describe('a server of tools that a pack brings', () => {
  const SERVERS = [
    command({
      env: { MODE: 'strict', EMPTY: '' },
      files: [{ artifact_key: 'code', path: 'a.py' }, { artifact_key: 'data' }],
    }),
    remote({ headers: { Authorization: 'Bearer ${secrets.TICKETS}', 'X-Literal': 'a $${b}' } }),
  ];

  test('a command and a URL are read without a problem, are in the manifest and conform to the editor schema', () => {
    const patches = [...OPEN, ASSETS, set(AT, SERVERS)];
    expect(findingsIn(patches)).toEqual([]);
    expect(manifestWith(...patches).tools).toEqual({ mcp_servers: SERVERS });
    expectConforming(parse(patched(EXAMPLE, patches)));
  });

  test('a changed server changes the digest, and a version with another one differs in its tools', () => {
    const before = manifestWith(...OPEN, set(AT, [command()]));
    const after = manifestWith(...OPEN, set(AT, [command({ env: { MODE: 'strict' } })]));
    expect(digestOf(after)).not.toBe(digestOf(before));
    expect(publishDecision({ header: before.pack, sameNumber: before }, after)).toEqual({
      status: 409,
      code: 'version_exists',
      changed_sections: ['tools'],
    });
  });

  test.each<[string, unknown, string[]]>([
    ['a text for the list', 'python3', [' type_mismatch']],
    ['an entry that is a text', ['python3'], ['[0] type_mismatch']],
    ['nine servers', Array.from({ length: 9 }, (_, i) => remote({ name: `s${i}` })), [' too_long']],
    ['two servers of one name', [command(), remote({ name: 'units' })], ['[1].name not_unique']],
    ['no name', [{ url: 'https://a.example/' }], ['[0].name required']],
    ['a name with an underscore', [command({ name: 'my_units' })], ['[0].name malformed']],
    ['a name of 25 characters', [command({ name: 'a'.repeat(25) })], ['[0].name malformed']],
    ['neither command nor url', [{ name: 'a' }], ['[0] exactly_one_of']],
    ['a blank URL', [remote({ url: ' ' })], ['[0] exactly_one_of']],
    ['a blank URL beside a command', [command({ url: '' })], []],
    ['command and url', [{ ...remote(), ...command() }], ['[0] exactly_one_of']],
    ['an unknown key', [command({ evn: {} })], ['[0].evn unknown_key']],
    ['a command as a text', [command({ command: 'python3 a.py' })], ['[0].command type_mismatch']],
    ['a command without words', [command({ command: [] })], ['[0].command required']],
    ['a blank word', [command({ command: ['a', ' '] })], ['[0].command[1] required']],
    ['a word with U+0000', [command({ command: ['a\0b'] })], ['[0].command[0] malformed']],
    ['257 words', [command({ command: Array(257).fill('a') })], ['[0].command too_long']],
    ['a word too long', [command({ command: ['a', 'b'.repeat(16_385)] })], ['[0].command[1] too_long']],
    [
      'a secret in a command',
      [command({ command: ['a', '--key=${secrets.K}', 'workspace-secret://K'] })],
      ['[0].command[1] secret_not_allowed', '[0].command[2] wrong_reference'],
    ],
    ['a variable of the shell in a command', [command({ command: ['sh', '-c', 'echo ${HOME}'] })], []],
    [
      'variables that are no literals',
      [command({ env: { A: '${secrets.K}', B: 'workspace-secret://K', AGENTCLASH_X: 'y', '1': 'z' } })],
      [
        '[0].env["1"] malformed',
        '[0].env["A"] env_placeholder',
        '[0].env["B"] wrong_reference',
        '[0].env["AGENTCLASH_X"] reserved_name',
      ],
    ],
    [
      'members of a command at a URL',
      [remote({ env: { A: 'b' }, files: [] })],
      ['[0].env contradiction', '[0].files contradiction'],
    ],
    ['headers of a command', [command({ headers: { A: 'b' } })], ['[0].headers contradiction']],
    ['a URL that is a list', [remote({ url: ['https://a.example'] })], ['[0].url type_mismatch']],
    ['a URL too long', [remote({ url: `https://a.example/${'x'.repeat(8_192)}` })], ['[0].url too_long']],
    ['a relative URL', [remote({ url: '/mcp' })], ['[0].url malformed']],
    ['another scheme', [remote({ url: 'ftp://a.example/mcp' })], ['[0].url malformed']],
    ['a URL with a password', [remote({ url: 'https://a:b@a.example/mcp' })], ['[0].url malformed']],
    ['a URL with a fragment', [remote({ url: 'https://a.example/mcp#a' })], ['[0].url malformed']],
    ['a URL with a blank', [remote({ url: 'https://a.example/a b' })], ['[0].url malformed']],
    ['a secret in a URL', [remote({ url: 'https://a.example/${secrets.K}' })], ['[0].url wrong_reference']],
    [
      'a secret over plain http',
      [remote({ url: 'http://a.example/mcp', headers: { 'X-Key': '${secrets.K}' } })],
      ['[0].url secret_over_http'],
    ],
    [
      'headers that cannot be sent',
      [
        remote({
          headers: {
            'no token': 'a',
            Host: 'a',
            'Mcp-Session-Id': 'a',
            'Proxy-A': 'a',
            A: 'ö…',
            B: 'workspace-secret://K',
            C: '${K}',
            D: '${json:secrets.K}',
            E: '${secrets.K',
            a: 'b',
          },
        }),
      ],
      [
        '[0].headers["no token"] malformed',
        '[0].headers["Host"] reserved_name',
        '[0].headers["Mcp-Session-Id"] reserved_name',
        '[0].headers["Proxy-A"] reserved_name',
        '[0].headers["A"] malformed',
        '[0].headers["B"] wrong_reference',
        '[0].headers["C"] wrong_reference',
        '[0].headers["D"] wrong_reference',
        '[0].headers["E"] wrong_reference',
        '[0].headers["a"] not_unique',
      ],
    ],
    [
      'headers too long together',
      [remote({ headers: { A: 'x'.repeat(4_096), B: 'x'.repeat(4_096) } })],
      ['[0].headers too_long'],
    ],
  ])('%s has its problems', (_title, servers, findings) => {
    expect(inServers(servers)).toEqual(findings);
  });

  test('each problem of a server has its line, and what a typing error drops is an error', () => {
    const servers = [
      'tools:',
      '  mcp_servers:',
      '    - name: units',
      '      command: [python3, "--key=${secrets.K}"]',
      '      comand: [python3]',
    ];
    const lines = EXAMPLE.split('\n').length;
    const text = `${EXAMPLE}${servers.join('\n')}\n`.replace(
      'version:\n',
      'version:\n  tool_policy: {allow_shell: true}\n',
    );
    expect(placedFindingsIn(text)).toEqual([
      `${lines + 4}:26 ${AT}[0].command[1] secret_not_allowed`,
      `${lines + 5}:7 ${AT}[0].comand unknown_key`,
    ]);
    const [, unknown] = problemsIn([SHELL, set(AT, [command({ command: ['${secrets.K}'], comand: [] })])]);
    expect(unknown).toMatchObject({ severity: 'error', suggestion: 'command' });
  });

  test.each(['', 'version.', 'challenges[0].'])('servers below "%s" are sent to the tools', (above) => {
    const [problem] = problemsIn([set(`${above}mcp_servers`, [command()])]);
    expect(problem).toMatchObject({ code: 'misplaced_key', suggestion: 'tools.mcp_servers' });
  });

  test.each(['responses', 'prompt_eval'])('a pack of mode %s brings no server', (mode) => {
    const found = findingsIn([set('version.execution_mode', mode), set(AT, [remote()])]);
    expect(found).toContain('tools mode_conflict');
  });
});

describe('the files of a server', () => {
  const files = (...entries: object[]) => inServers([command({ files: entries })], [...OPEN, ASSETS]);

  test('a file is an asset of the version, which thereby is used and has to exist', () => {
    const patches = [...OPEN, ASSETS, set(AT, [command({ files: [{ artifact_key: 'code' }] })])];
    expect(findingsIn(patches)).toEqual(['version.assets[1].key unused_asset']);
    expect(findingsIn(patches, { fileExists: () => false })).toEqual([
      'version.assets[0].path artifact_not_found',
      'version.assets[1].key unused_asset',
    ]);
  });

  test('an asset of a challenge is not found', () => {
    const own = set('challenges[0].assets', [{ key: 'own', path: 'own.py' }]);
    expect(inServers([command({ files: [{ artifact_key: 'own' }] })], [...OPEN, own])).toEqual([
      '[0].files[0].artifact_key unknown_reference',
    ]);
  });

  test.each<[string, object[], string[]]>([
    ['a file without an asset', [{ path: 'a' }], ['[0].files[0].artifact_key required']],
    ['an unknown asset', [{ artifact_key: 'cod' }], ['[0].files[0].artifact_key unknown_reference']],
    ['an absolute path', [{ artifact_key: 'code', path: '/a' }], ['[0].files[0].path unsafe_path']],
    ['a path that climbs', [{ artifact_key: 'code', path: 'a/../../b' }], ['[0].files[0].path unsafe_path']],
    ['a long path', [{ artifact_key: 'code', path: 'a/'.repeat(513) }], ['[0].files[0].path too_long']],
    ['a path that is no file', [{ artifact_key: 'code', path: './' }], ['[0].files[0].path unsafe_path']],
    [
      'two files at one path',
      [{ artifact_key: 'code', path: './units.json' }, { artifact_key: 'data' }],
      ['[0].files[1].artifact_key not_unique'],
    ],
    [
      'a file that is a folder of another',
      [{ artifact_key: 'code', path: 'units.json/a/b' }, { artifact_key: 'data' }],
      ['[0].files[0].path contradiction'],
    ],
    [
      '201 files',
      Array.from({ length: 201 }, (_, i) => ({ artifact_key: 'code', path: `f${i}` })),
      ['[0].files too_long'],
    ],
  ])('%s has its problem', (_title, entries, findings) => {
    expect(files(...entries)).toEqual(findings);
  });
});

describe('servers and the policy of their pack', () => {
  test.each<[string, Patch[], string[]]>([
    ['without shell and network', [], ['[0].command server_not_admitted', '[1].url server_not_admitted']],
    ['with shell', [SHELL], ['[1].url server_not_admitted']],
    ['with network', [NETWORK], ['[0].command server_not_admitted']],
    ['with both', OPEN, []],
    [
      'with a network for the sandbox alone',
      [set('version.tool_policy', { allow_shell: true, allow_network: false }), NETWORK],
      ['[1].url server_not_admitted'],
    ],
    [
      'with a policy that cannot be read',
      [set('version.tool_policy', 'open')],
      ['version.tool_policy type_mismatch'],
    ],
  ])('a pack %s warns of servers that are not started', (_title, patches, findings) => {
    expect(inServers([command(), remote()], patches)).toEqual(findings);
  });

  test.each<[string, string[], string[]]>([
    ['https://10.1.2.3/mcp', [], ['contradiction']],
    ['https://10.1.2.3/mcp', ['10.0.0.0/8'], []],
    ['https://93.184.216.34/mcp', [], []],
    ['https://93.184.216.34/mcp', ['10.0.0.0/8'], ['contradiction']],
    ['https://[fd12::1]/mcp', ['fd12::/16'], []],
    ['https://[fd13::1]/mcp', ['fd12::/16'], ['contradiction']],
    ['https://tickets.example.com/mcp', ['10.0.0.0/8'], []],
    ['https://10.1.2.3/mcp', ['10.0.0.0'], []],
  ])('a server at %s of a pack with the allowlist %j has the problems %j', (url, cidrs, codes) => {
    const sandbox = set('version.sandbox', { network_access: true, network_allowlist: cidrs });
    const found = inServers([remote({ url })], [sandbox]).filter((each) => each.startsWith('['));
    expect(found).toEqual(codes.map((code) => `[0].url ${code}`));
  });

  test('a secret of a header that is bound to no origin is a warning', () => {
    const servers = [remote({ headers: { A: '${secrets.BOUND} ${secrets.FREE}' } })];
    const found = inServers(servers, OPEN, { isUnboundSecret: (key) => key === 'FREE' });
    expect(found).toEqual(['[0].headers["A"] secret_unbound']);
  });
});

describe('names of tools beside servers', () => {
  const mock = (name: string) => ({ name, implementation: { type: 'mock', response: 1 } });
  const withTools = (tools: object) =>
    findingsIn([...OPEN, set('tools', { mcp_servers: [command()], ...tools })]);

  test('a custom tool has no name that a tool of a server may have', () => {
    const custom = ['units__convert', 'units_convert', 'unit__convert'].map(mock);
    expect(withTools({ custom })).toEqual(['tools.custom[0].name reserved_name']);
  });

  test('a tool of a server is denied by its name, and that of an unknown server is a mistake', () => {
    const denied = ['exec', 'units__convert', 'unit__convert', 'convert'];
    expect(withTools({ denied })).toEqual([
      'tools.denied[2] unknown_reference',
      'tools.denied[3] unknown_reference',
    ]);
    const [problem] = problemsIn([
      ...OPEN,
      set('tools', { mcp_servers: [command()], denied: ['unit__convert'] }),
    ]);
    expect(problem?.suggestion).toBe('units__convert');
  });

  test('a server that cannot be read may be the one of a denied tool', () => {
    expect(findingsIn([set('tools', { mcp_servers: ['units'], denied: ['units__convert'] })])).toEqual([
      'tools.mcp_servers[0] type_mismatch',
    ]);
  });

  test('the list of allowed tools names primitives alone', () => {
    expect(withTools({ allowed: ['units__convert'] })).toEqual(['tools.allowed[0] unknown_reference']);
  });
});
