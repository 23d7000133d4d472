import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { listIsolations } from './isolations.js';
import { Variables } from './variables.js';

const NOWHERE = { DOCKER_HOST: 'unix:///nowhere/docker.sock' };
const reportsOf = async (environment: Record<string, string>) => {
  const reports = await listIsolations(Variables.parse({ ...NOWHERE, ...environment }));
  return Object.fromEntries(reports.map((report) => [report.name, report]));
};

describe('the isolations that a machine has', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'agentclash-isolations-'));
  const socket = path.join(folder, 'docker.sock');
  const daemon = createServer((_, response) => {
    response.setHeader('Api-Version', '1.43');
    response.end(
      JSON.stringify({ ServerVersion: '24.0.0', ApiVersion: '1.43', Runtimes: { runc: {}, runsc: {} } }),
    );
  });
  beforeAll(() => new Promise<void>((resolve) => daemon.listen(socket, resolve)));
  afterAll(async () => {
    await new Promise((resolve) => daemon.close(resolve));
    rmSync(folder, { recursive: true });
  });

  test.each<[Record<string, string>, string]>([
    [{}, 'namespaces'],
    [{ SANDBOX_ISOLATION: 'gvisor' }, 'gvisor'],
    [{ SANDBOX_PROVIDER: 'docker' }, 'docker'],
    [{ SANDBOX_PROVIDER: 'docker', SANDBOX_DOCKER_RUNTIME: 'runsc' }, 'docker+runsc'],
    [{ SANDBOX_PROVIDER: 'kubernetes' }, 'kubernetes'],
  ])('the variables %j choose the isolation %s alone', async (environment, chosen) => {
    const reports = Object.values(await reportsOf({ SANDBOX_RUNSC: '/nowhere/runsc', ...environment }));
    expect(reports.filter(({ isChosen }) => isChosen).map(({ name }) => name)).toEqual([chosen]);
    for (const { promise, detail } of reports) expect([promise, detail]).not.toContain('');
  });

  test('each isolation with gVisor names that CPU time inside depends on load, and no other does', async () => {
    const cluster = { SANDBOX_PROVIDER: 'kubernetes', SANDBOX_RUNTIME_CLASS: 'gvisor' };
    const reports = Object.values(await reportsOf({ SANDBOX_RUNSC: '/nowhere/runsc', ...cluster }));
    const named = reports.filter(({ promise, detail }) => /CPU time/.test(`${promise} ${detail}`));
    expect(named.map(({ name }) => name)).toEqual(['gvisor', 'docker+runsc', 'kubernetes']);
  });

  test('what is missing is absent with the reason and the way to have it', async () => {
    const { gvisor, docker, kubernetes } = await reportsOf({ SANDBOX_RUNSC: '/nowhere/runsc' });
    for (const report of [gvisor, docker, kubernetes]) {
      expect(report).toMatchObject({ isAvailable: false, fix: expect.any(String) });
    }
  });

  const isRoot = process.getuid?.() === 0;
  (isRoot ? test : test.skip)('a release of gVisor that is too old is absent, by its version', async () => {
    const program = path.join(folder, 'runsc');
    writeFileSync(program, '#!/bin/sh\necho "runsc version 0.0~20221219.0"\n');
    chmodSync(program, 0o755);
    const { gvisor } = await reportsOf({ SANDBOX_RUNSC: program });
    expect(gvisor).toMatchObject({
      isAvailable: false,
      detail: expect.stringMatching(/20221219\.0\) is too old/),
      fix: expect.stringContaining('apt-get install'),
    });
  });

  test('a Docker daemon with the runtime of gVisor is there twice', async () => {
    const found = await reportsOf({ DOCKER_HOST: `unix://${socket}`, SANDBOX_RUNSC: '/nowhere/runsc' });
    expect(found.docker).toMatchObject({ isAvailable: true, detail: `unix://${socket} 24.0.0` });
    expect(found['docker+runsc']).toMatchObject({
      isAvailable: true,
      fix: 'SANDBOX_PROVIDER=docker SANDBOX_DOCKER_RUNTIME=runsc',
    });
  });
});
