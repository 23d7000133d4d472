import { builtinPresets } from '@agentclash/agent-presets';
import type { Manifest, Tools } from '@agentclash/challengepack';
import { expect, test } from '@jest/globals';
import type { AgentSnapshot } from '../agents/agent-snapshot.js';
import { publish, wordPack } from '../testing/published-pack.js';
import { toolWarnings } from './run-tools.js';

const { manifest } = publish(wordPack(1));
const withTools = (tools: Tools): Manifest => ({ ...manifest, tools });
const SERVER = { name: 'units', command: ['python3'] };
const TOOL = { name: 'stock', implementation: { type: 'mock', response: 1 } };

function coder(name: string, preset: string, changes: Partial<AgentSnapshot> = {}): AgentSnapshot {
  const definition = builtinPresets().get(preset);
  if (definition === undefined) throw new Error(`there is no preset ${preset}`);
  const config = { command: [], preset: { definition } };
  const pinned = { deployment_id: name, revision: 1, name, profile: null };
  return { ...pinned, kind: 'program', config, ...changes } as AgentSnapshot;
}

test('a coding agent without MCP is named by a warning where there are tools that it cannot call', () => {
  const agents = [coder('a', 'pi'), coder('b', 'codex'), coder('c', 'pi')];
  const ofPack = {
    code: 'preset_without_mcp',
    message: 'The tools of the pack are not offered to "a" and "c": the preset has no settings for MCP.',
  };
  expect(toolWarnings(withTools({ custom: [TOOL] }), agents)).toEqual([ofPack]);
  expect(toolWarnings(withTools({ mcp_servers: [SERVER] }), agents)).toEqual([ofPack]);
  expect(toolWarnings(withTools({ denied: ['exec'] }), agents)).toEqual([]);
  const byAcp = coder('e', 'pi');
  if (byAcp.kind === 'program') byAcp.config.protocol = 'acp';
  expect(toolWarnings(withTools({ custom: [TOOL] }), [byAcp])).toEqual([]);
  const bringing = coder('d', 'pi', { mcp_servers: [SERVER] });
  expect(toolWarnings(manifest, [...agents, bringing])).toEqual([
    {
      code: 'preset_without_mcp',
      message: 'The tools of their servers are not offered to "d": the preset has no settings for MCP.',
    },
  ]);
});
