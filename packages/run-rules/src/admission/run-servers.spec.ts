import type { WorkspaceTool } from '@agentclash/attempt-plan';
import type { Manifest, Tools } from '@agentclash/challengepack';
import { describe, expect, test } from '@jest/globals';
import type { AgentSnapshot } from '../agents/agent-snapshot.js';
import { publish, wordPack } from '../testing/published-pack.js';
import { serversProblem } from './run-servers.js';

const { manifest } = publish(wordPack(1));
const UNITS = { name: 'units', command: ['python3'] };
const pinned = { deployment_id: 'd', revision: 1, name: 'coder', profile: null };
const program: AgentSnapshot = { ...pinned, kind: 'program', config: { command: ['run'] } };
const artifacts = new Map<string, never>();

const problem = (tools: Tools, ...agents: AgentSnapshot[]) =>
  serversProblem({ manifest: { ...manifest, tools } as Manifest, artifacts }, agents);

const tool = (name: string, attached: boolean): WorkspaceTool => ({
  name,
  tool_kind: 'composed',
  lifecycle_status: 'active',
  attached,
  definition: { implementation: { mode: 'mock', mock: { response: 1 } } },
});
const modelWith = (...tools: WorkspaceTool[]): AgentSnapshot => ({
  ...pinned,
  kind: 'model',
  config: { provider_key: 'openai', model: 'm' },
  tools,
  denied_tools: [],
});

describe('servers of a pack beside those of its agents', () => {
  test('servers of different names are admitted together', () => {
    const own = { ...program, mcp_servers: [{ ...UNITS, name: 'unit' }] };
    expect(problem({ mcp_servers: [UNITS] }, program, own, modelWith(tool('unit__a', true)))).toBeUndefined();
  });

  test('two servers of one name are refused with the names of both', () => {
    const own = { ...program, mcp_servers: [UNITS] };
    expect(problem({ mcp_servers: [UNITS] }, program, own)).toEqual({
      code: 'incompatible_deployment',
      message:
        'The pack and the deployment "coder" both bring an MCP server "units": rename that of the deployment.',
    });
    const variant = { deployment: 'coder', name: 'docs', baseline: 'bare' };
    expect(problem({ mcp_servers: [UNITS] }, { ...own, variant })?.message).toBe(
      'The pack and the variant "docs" of the deployment "coder" both bring an MCP server "units": rename that of the deployment.',
    );
  });

  test('a tool of the pack with a name of a server of a deployment is refused', () => {
    const custom = [{ name: 'units__a', implementation: { type: 'mock', response: 1 } }];
    expect(problem({ custom }, { ...program, mcp_servers: [UNITS] })).toEqual({
      code: 'incompatible_deployment',
      message:
        'The tool "units__a" of the pack has a name of the MCP server "units" of the deployment "coder": rename the server.',
    });
  });

  test('an attached tool of the workspace with a name of a server of the pack is refused', () => {
    expect(problem({ mcp_servers: [UNITS] }, modelWith(tool('units__a', false)))).toBeUndefined();
    expect(problem({ mcp_servers: [UNITS] }, modelWith(tool('units__a', true)))).toEqual({
      code: 'incompatible_deployment',
      message:
        'The tool "units__a" of the deployment "coder" has a name of the MCP server "units" of the pack: rename the tool.',
    });
  });

  test('files of servers that no attempt could place are refused', () => {
    const MIB = 1024 * 1024;
    const stored = new Map(
      ['a', 'b', 'c'].map((id) => [id, { artifact_id: id, sha256: id, bytes: 80 * MIB }]),
    );
    const assets = ['a', 'b', 'c'].map((key) => ({ key, path: key, artifact_id: key }));
    const withFiles = (...keys: string[]) => {
      const files = keys.map((artifact_key, index) => ({ artifact_key, path: `f${index}` }));
      const tools = { mcp_servers: [{ ...UNITS, files }] };
      const version = { ...manifest.version, assets };
      return serversProblem({ manifest: { ...manifest, version, tools }, artifacts: stored }, [program]);
    };
    expect(withFiles('a', 'b', 'c')).toBeUndefined();
    expect(withFiles('a', 'b', 'c', 'a')).toEqual({
      code: 'invalid_pack',
      message: 'The files of the MCP servers of the pack take 320 MiB together; they may take 240 MiB.',
    });
  });
});
