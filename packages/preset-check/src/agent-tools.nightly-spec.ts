import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { builtinPresets, type Preset } from '@agentclash/agent-presets';
import { NpmLayers } from '@agentclash/agent-presets/layers';
import { layersOfPreset } from '@agentclash/agent-presets/preset-layers';
import { sharedPackagesDirectory } from '@agentclash/sandbox';
import { type Script, type ScriptedModel, scriptedModel } from '@agentclash/scripted-model';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';

// The packages of an agent have up to 300 MiB; a registry may be far.
jest.setTimeout(600_000);

const { AGENT_PACKAGES_DIR, AGENT_PACKAGES_REGISTRY, AGENT_PACKAGES_TOKEN } = process.env;
const repository = path.resolve(import.meta.dirname, '../../..');
const CLI = path.join(repository, 'apps/cli/bin/agentclash.js');
const PROMPT = 'Validate the pack, race its agents, and report the verdict.';
const folder = mkdtempSync(path.join(tmpdir(), 'agentclash-tools-'));
const TOOL_SERVER = { command: process.execPath, args: [CLI, 'mcp'] };

/** Validates and races by the tools that the agent offers, then ends. */
const author: Script = ({ tools, resultCount }) => {
  if (tools.length === 0) return { text: 'A title' };
  if (resultCount === 0) return { call: { name: 'validate', arguments: { pack: 'pack.yaml' } } };
  if (resultCount === 1) {
    return {
      call: { name: 'run', arguments: { pack: 'pack.yaml', agents: 'agents.yaml', output: 'results.clash' } },
    };
  }
  return { text: 'concise passed, chatty failed' };
};

interface Launched {
  preset: string;
  /** Words after the program of the preset. */
  words: (model: ScriptedModel) => string[];
  env: (model: ScriptedModel) => Record<string, string>;
  files: (model: ScriptedModel) => Record<string, string>;
}

const CODEX: Launched = {
  preset: 'codex',
  words: () => [
    'exec',
    '--json',
    '--dangerously-bypass-approvals-and-sandbox',
    '--skip-git-repo-check',
    '-m',
    'scripted',
    PROMPT,
  ],
  env: () => ({ MODEL_KEY: 'sk-scripted' }),
  files: (model) => ({
    '.codex/config.toml': [
      'model_provider = "scripted"',
      'check_for_update_on_startup = false',
      '[analytics]',
      'enabled = false',
      '[model_providers.scripted]',
      'name = "scripted"',
      `base_url = "${model.urlOf('responses')}"`,
      'wire_api = "responses"',
      'env_key = "MODEL_KEY"',
      '[mcp_servers.agentclash]',
      `command = ${JSON.stringify(TOOL_SERVER.command)}`,
      `args = ${JSON.stringify(TOOL_SERVER.args)}`,
    ].join('\n'),
  }),
};

const CLAUDE_CODE: Launched = {
  preset: 'claude-code',
  words: () => [
    ...['-p', PROMPT, '--dangerously-skip-permissions', '--output-format', 'stream-json', '--verbose'],
    ...['--model', 'scripted', '--strict-mcp-config', '--mcp-config'],
    ...[JSON.stringify({ mcpServers: { agentclash: TOOL_SERVER } })],
  ],
  env: (model) => ({
    ANTHROPIC_BASE_URL: new URL(model.urlOf('anthropic')).origin,
    ANTHROPIC_API_KEY: 'sk-scripted',
    ANTHROPIC_SMALL_FAST_MODEL: 'scripted',
    ANTHROPIC_DEFAULT_HAIKU_MODEL: 'scripted',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    ENABLE_TOOL_SEARCH: 'false',
    IS_SANDBOX: '1',
  }),
  files: () => ({}),
};

describe('a real coding agent with the tools of agentclash mcp', () => {
  let model: ScriptedModel;
  beforeAll(async () => {
    model = await scriptedModel(author);
  });
  afterAll(async () => {
    await model?.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
  });

  test.each([CODEX, CLAUDE_CODE])(
    'the agent $preset validates a pack, races on it and receives the verdict',
    async (launched) => {
      const home = path.join(folder, launched.preset);
      cpSync(
        path.join(repository, 'examples/challenge-packs/capital-cities.yaml'),
        path.join(home, 'pack.yaml'),
      );
      cpSync(
        path.join(repository, 'examples/deployments/capital-cities.yaml'),
        path.join(home, 'agents.yaml'),
      );
      for (const [name, content] of Object.entries(launched.files(model))) {
        mkdirSync(path.dirname(path.join(home, name)), { recursive: true });
        writeFileSync(path.join(home, name), content);
      }
      const first = model.requests.length;
      const printed = await launch(await programOf(launched.preset), launched.words(model), {
        home,
        env: launched.env(model),
      });
      const requests = model.requests.slice(first);
      const last = requests.filter(({ tools }) => tools.length > 0).at(-1);
      expect({ printed, results: last?.resultCount }).toEqual({
        printed: expect.stringContaining('concise passed, chatty failed'),
        results: 2,
      });
      expect(last?.contains('capital-cities version 1, 1 challenge')).toBe(true);
      expect(last?.contains('1  concise  passed')).toBe(true);
      expect(last?.contains('2  chatty   failed')).toBe(true);
    },
  );
});

/** The installed program of a preset. */
async function programOf(name: string): Promise<string> {
  const preset = builtinPresets().get(name) as Preset;
  const layers = new NpmLayers({
    directory: AGENT_PACKAGES_DIR ?? sharedPackagesDirectory(),
    registry: AGENT_PACKAGES_REGISTRY ?? 'https://registry.npmjs.org',
    token: AGENT_PACKAGES_TOKEN,
  });
  const [layer] = layersOfPreset(preset);
  if (layer === undefined) throw new TypeError(`${name} has no packages`);
  const { root } = await layers.ensure(layer.content, new AbortController());
  return (preset.command[0] ?? '').replace('{{packages}}', root);
}

async function launch(
  program: string,
  words: readonly string[],
  { home, env }: { home: string; env: Record<string, string> },
): Promise<string> {
  const child = spawn(program, words, {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, XDG_CONFIG_HOME: path.join(home, '.config'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 180_000,
    killSignal: 'SIGKILL',
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  return printed;
}
