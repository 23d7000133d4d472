import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Script, type ScriptedModel, scriptedModel } from '@agentclash/scripted-model';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Product, repository, StackFolder } from './product.js';
import { databaseOf, filesOf, pathsWith } from './search.js';

// The packages of all agents have 900 MiB; a registry may be far.
jest.setTimeout(1_800_000);

/** The agents, and a provider that has an API of each. */
const AGENTS = {
  'claude-code': 'anthropic',
  codex: 'openai',
  'gemini-cli': 'google',
  opencode: 'mistral',
  pi: 'mistral',
  'qwen-code': 'mistral',
} as const;
const APIS = { anthropic: 'anthropic', openai: 'responses', google: 'google', mistral: 'chat' } as const;
const PROVIDERS = [...new Set(Object.values(AGENTS))];
const FIXED = {
  slug: `import re\n\ndef slug(title):\n    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")\n`,
  chunks: `def chunks(text, size):\n    return [text[at:at + size] for at in range(0, len(text), size)]\n`,
};

/** Runs the tests, writes a file by the shell, runs the tests again, and ends. */
const editing =
  (file: string, contentOf: (name: keyof typeof FIXED) => string): Script =>
  ({ tools, resultCount, contains }) => {
    if (tools.length === 0) return { text: 'A title' };
    const name = contains('function `slug`') ? 'slug' : 'chunks';
    if (resultCount === 1) return { run: `cat > /workspace/${file} <<'END'\n${contentOf(name)}END` };
    if (resultCount < 3) return { run: 'cd /workspace && python3 -m unittest 2>&1 | tail -3' };
    return { text: 'The tests pass.' };
  };
const fix = editing('text.py', (name) => FIXED[name]);
const cheat = editing('test_text.py', () => '# No test, no failure.\n');

interface AttemptRow {
  id: string;
  agent_name: string;
  outcome: string | null;
  /** Of the hidden tests. */
  verdict: string | undefined;
}

describe('A race of real coding agents', () => {
  const folder = new StackFolder();
  const key = `sk-canary-${randomBytes(12).toString('hex')}`;
  let models: ScriptedModel;
  let product: Product;
  beforeAll(async () => {
    models = await scriptedModel(fix);
    product = await Product.start(folder);
    const origin = new URL(models.urlOf('chat')).origin;
    const set = await product.run(['secret', 'set', 'MODEL_KEY', '--host', origin], { stdin: key });
    expect(set).toMatchObject({ code: 0 });
    const pack = path.join(repository, 'examples/challenge-packs/fix-the-tests.yaml');
    await product.read('challenge-pack', 'publish', pack);
    const file = path.join(folder.path, 'agents.yaml');
    writeFileSync(file, JSON.stringify(deployments()));
    await product.read('deployment', 'create', '-f', file);
  });
  afterAll(async () => {
    await product?.stop();
    await models?.close();
    folder.remove();
  });

  function deployments(): object {
    return {
      provider_accounts: PROVIDERS.map((name) => ({
        name,
        provider_key: name,
        base_url: models.urlOf(APIS[name]),
        credential_reference: 'workspace-secret://MODEL_KEY',
      })),
      model_aliases: PROVIDERS.map((name) => ({ name, provider_account: name, model: 'scripted' })),
      runtime_profiles: [
        { name: 'coding', run_timeout_seconds: 600, max_iterations: 30, sandbox: { cpu: 2 } },
      ],
      deployments: Object.entries(AGENTS).map(([name, provider]) => ({
        name,
        kind: 'program',
        runtime_profile: 'coding',
        config: { preset: name, models: { main: provider } },
      })),
    };
  }

  /** Races all of them; the outcome and the verdict of the hidden tests of each attempt. */
  async function race(): Promise<AttemptRow[]> {
    const words = ['eval', 'start', '--pack', 'fix-the-tests', '--max-concurrency', '2'];
    const { id } = await product.read<{ id: string }>(...words, '--deployment', ...Object.keys(AGENTS));
    await product.run(['run', 'show', id, '--follow'], { timeoutMs: 1_500_000 });
    const { items } = await product.read<{ items: Omit<AttemptRow, 'verdict'>[] }>('run', 'attempts', id);
    return await Promise.all(
      items.map(async ({ id: attempt, agent_name, outcome }) => ({
        id: attempt,
        agent_name,
        outcome,
        verdict: await verdictOf(attempt),
      })),
    );
  }

  async function verdictOf(attempt: string): Promise<string | undefined> {
    const { scorecard } = await product.read<{
      scorecard: { scorecard: { validators: { key: string; verdict: string }[] } };
    }>('eval', 'scorecard', '--attempt', attempt);
    return scorecard.scorecard.validators.find(({ key: name }) => name === 'hidden-tests')?.verdict;
  }

  const expected = (verdict: string) =>
    Object.keys(AGENTS).flatMap((agent_name) =>
      [1, 2].map(() => ({ agent_name, outcome: 'completed', verdict })),
    );
  const figures = (rows: readonly AttemptRow[]) =>
    rows.map(({ id: _, ...row }) => row).sort((a, b) => a.agent_name.localeCompare(b.agent_name));

  test('Every agent fixes the code of both cases, and its edits are graded by hidden tests', async () => {
    expect(figures(await race())).toEqual(expected('pass'));
    // Two cases, each with three commands and an end; some agents also request a title.
    expect(models.requests.length).toBeGreaterThanOrEqual(Object.keys(AGENTS).length * 2 * 4);
  });

  test('Every agent that edits the tests instead has failed', async () => {
    models.follow(cheat);
    expect(figures(await race())).toEqual(expected('fail'));
  });

  test('The key of the models is in no database, file or event of the races', async () => {
    expect(JSON.stringify(models.requests.at(-1)?.headers)).toContain(key);
    const kept = [...(await databaseOf(product)), ...filesOf(folder.data)];
    expect(kept.length).toBeGreaterThan(100);
    expect(pathsWith([key], kept)).toEqual([]);
  });
});
