import { describe, expect, test } from '@jest/globals';
import { inOrder, readDeploymentFile } from './read.js';
import { ruleProblems } from './rule-problems.js';

async function problemsOf(text: string): Promise<string[]> {
  const file = readDeploymentFile(text);
  return inOrder([...file.problems, ...(await ruleProblems(file))]).map(
    ({ line, column, field, message }) => `${line}:${column} ${field} ${message}`,
  );
}

const deployment = (config: string, rest = '') =>
  problemsOf(`deployments:\n  - name: a\n    kind: program\n    config: ${config}\n${rest}`);

describe('The rules that a deployment file is checked by before anything is written', () => {
  test('A preset that does not exist is reported at its place, with the nearest name', async () => {
    expect(await deployment('{preset: claude, models: {main: m}}')).toEqual([
      '4:22 deployments[0].config.preset there is no preset "claude"; did you mean claude-code?',
    ]);
    expect((await deployment('{preset: "", models: {main: m}}')).join()).not.toContain('did you mean');
  });

  test('Skills and a protocol are reported where the preset has neither a place nor a command for them', async () => {
    expect(
      await deployment(
        '{preset: pi, protocol: acp, models: {main: m}}',
        '  - {name: b, kind: program, config: {preset: gemini-cli, models: {main: m}, skills: [./x]}}',
      ),
    ).toEqual([
      '4:36 deployments[0].config.protocol is for a preset with a command for ACP (its member acp), which pi does not have',
      '5:86 deployments[1].config.skills is for a preset with a place for skills, which gemini-cli does not have',
    ]);
  });

  test('A credential that names no secret is reported at its place', async () => {
    expect(
      await problemsOf(`provider_accounts:
  - {name: a, provider_key: openai, credential_reference: sk-abc}
  - {name: b, provider_key: openai, credential_reference: "workspace-secret://K"}
  - {name: c, provider_key: openai, credential_reference: "env://K"}
`),
    ).toEqual([
      '2:59 provider_accounts[0].credential_reference must be workspace-secret://KEY: store the value as a secret and name it here',
    ]);
  });

  test('A server of tools is reported for its URL, its headers and the secrets that would not reach it', async () => {
    const servers = [
      '{name: x, url: "ftp://x"}',
      '{name: y, url: "https://x.example/${secrets.K}"}',
      '{name: z, url: "https://x.example", headers: {Host: x}}',
      '{name: v, command: [serve, "${secrets.K}"], env: {AGENTCLASH_A: x}}',
    ];
    const found = await deployment(`{command: [x], mcp_servers: [${servers.join(', ')}]}`);
    expect(found.map((each) => each.replace(/^\S+ deployments\[0\].config.mcp_servers/, ''))).toEqual([
      '[0].url must begin with https:// or http://',
      '[1].url is literal: secrets are for headers',
      '[2].headers.Host is set by the protocol',
      '[3].command[1] is passed unchanged: no secret reaches the sandbox',
      '[3].env.AGENTCLASH_A names that begin with AGENTCLASH_ are ours',
    ]);
  });

  test('A baseline that names no variant is reported beside a name of a variant that is not valid', async () => {
    const variants = '    variants: {"a b": {}, bare: {}}\n    baseline: bar\n';
    expect(await deployment('{command: [x]}', variants)).toEqual([
      '5:16 deployments[0].variants.a b must be 1 to 64 of A to Z, a to z, digits, ".", "_" and "-"',
      '6:15 deployments[0].baseline names no variant: must be one of a b, bare; did you mean bare?',
    ]);
    const valid = '    variants: {bare: {}, more: {env: {A: b}}}\n    baseline: z\n';
    expect(await deployment('{command: [x]}', valid)).toHaveLength(1);
  });

  test('A variable or an argument that no program can be started with is reported at its place', async () => {
    const long = 'x'.repeat(128 * 1024 - 3);
    expect(await deployment(`{command: [x], env: {A: ${long}}}`)).toEqual([]);
    expect(await deployment(`{command: [x], env: {A: ${long}x}}`)).toEqual([
      '4:37 deployments[0].config.env.A has 131073 bytes, and a program is started with at most 131072 in each: use a file',
    ]);
    const variant = `    variants: {bare: {}, more: {command: [y, ${long}xxx]}}\n    baseline: bare\n`;
    expect((await deployment('{command: [x]}', variant)).join()).toContain('variants.more.command[1] has');
    const base = '{command: [x], env: {AGENTCLASH_A: b}}';
    const changed = '    variants: {bare: {}, more: {env: {B: c}}}\n    baseline: bare\n';
    expect(await deployment(base, changed)).toHaveLength(1);
    const many = Array.from({ length: 9 }, (_, index) => `A${index}: ${long.slice(1)}`).join(', ');
    expect((await deployment(`{command: [x], env: {${many}}}`)).join()).toContain('config.env take 1.1 MiB');
  });

  test('A number that is out of range is reported once', async () => {
    const file = 'runtime_profiles: [{name: p, max_iterations: 99999999999999999999}]';
    expect(await problemsOf(file)).toHaveLength(1);
  });
});
