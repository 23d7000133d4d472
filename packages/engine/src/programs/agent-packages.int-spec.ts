import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { builtinPresets, lockfileDigest, parsePreset } from '@agentclash/agent-presets';
import { NpmLayers } from '@agentclash/agent-presets/layers';
import { createBubblewrapProvider } from '@agentclash/sandbox';
import { waitFor } from '@agentclash/testkit';
import { afterAll, describe, expect, test } from '@jest/globals';
import { AgentPackages } from './agent-packages.js';

const directory = mkdtempSync(path.join(tmpdir(), 'agent-packages-'));
chmodSync(directory, 0o755);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Nothing listens on it. */
const packages = new AgentPackages({ directory, registry: 'http://127.0.0.1:1' });
const { signal } = new AbortController();

describe('The packages of a preset', () => {
  test('Packages that cannot be downloaded end the attempt as an infrastructure error, with the next step', async () => {
    const definition = builtinPresets().get('codex');
    if (!definition) throw new Error('there is no preset codex');
    await expect(packages.directoriesOf({ definition }, signal)).rejects.toMatchObject({
      end: {
        because: 'infra',
        code: 'agent_packages',
        isPermanent: false,
        message: expect.stringMatching(
          /^@openai\/codex@0\.169\.0\S* cannot be downloaded from http:.* run "agentclash agents install codex" .* AGENT_PACKAGES_DIR$/,
        ),
      },
    });
    expect(readdirSync(directory)).toEqual([]);
  });

  test('packages of another release than that of the plan are refused', async () => {
    const definition = builtinPresets().get('pi');
    if (!definition) throw new Error('there is no preset pi');
    const planned = { definition, lockfile_sha256: '0'.repeat(64) };
    await expect(packages.directoriesOf(planned, signal)).rejects.toMatchObject({
      end: { code: 'agent_packages', message: expect.stringContaining('another release') },
    });
    expect(lockfileDigest(definition)).toMatch(/^[0-9a-f]{64}$/);
  });

  test('packages that run on another platform end the attempt at once, with the platform', async () => {
    const text = `name: mine\ntitle: Mine\nwires: [chat]\ncommand: [x]\npackages: [{name: x, version: 1.0.0, platform: plan9-mips, integrity: sha512-${'A'.repeat(86)}==}]\n`;
    const definition = parsePreset(text, 'mine.yaml');
    await expect(packages.directoriesOf({ definition }, signal)).rejects.toMatchObject({
      end: {
        code: 'agent_packages',
        isPermanent: true,
        message: expect.stringMatching(/^mine runs on plan9-mips only, and this executor is /),
      },
    });
  });

  test('A sandbox keeps the packages that it shows until it has ended', async () => {
    const folder = path.join(directory, 'mine-0000000000000000');
    const source = path.join(folder, 'node_modules');
    mkdirSync(source, { recursive: true });
    const facts = { name: 'mine', packages: [], bytes: 1, files: 1, created_at: new Date(0).toISOString() };
    writeFileSync(path.join(folder, 'layer.json'), JSON.stringify(facts));
    const layers = new NpmLayers({ directory, registry: 'http://127.0.0.1:1' });
    const stateDir = mkdtempSync(path.join(tmpdir(), 'agent-packages-sandboxes-'));
    chmodSync(stateDir, 0o755);
    const provider = await createBubblewrapProvider({ stateDir, cgroupName: path.basename(stateDir) });
    const spec = {
      limits: { cpu: 1, memoryBytes: 64 * 1024 ** 2, pids: 32, workspaceBytes: 8 * 1024 ** 2 },
      directories: [{ source, path: '/opt/agents/mine' }],
      labels: { runId: 'r', attemptId: 'a' },
    };
    try {
      const session = await packages.kept(provider).create(spec);
      await expect(layers.remove('mine')).rejects.toMatchObject({ uses: 1 });
      await session.destroy();
      await waitFor(async () => (await layers.remove('mine').catch(() => 0)) === 1);
      await expect(packages.kept(provider).create(spec)).rejects.toMatchObject({
        end: { code: 'agent_packages', isPermanent: false },
      });
    } finally {
      await provider.close();
      rmSync(stateDir, { recursive: true, force: true });
    }
  });

  test('packages are not added for a preset that runs what the image has', async () => {
    const text = 'name: mine\ntitle: Mine\nwires: [chat]\ncommand: [/usr/bin/python3, agent.py]\n';
    expect(await packages.directoriesOf({ definition: parsePreset(text, 'mine.yaml') }, signal)).toEqual([]);
  });
});
