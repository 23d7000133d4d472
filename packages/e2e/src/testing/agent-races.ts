import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Script, type ScriptedModel, scriptedModel } from '@agentclash/scripted-model';
import { expect } from '@jest/globals';
import { Product, repository, StackFolder } from '../product.js';
import { databaseOf, filesOf, type KeptText, pathsWith } from '../search.js';
import { type Recorded, readRecorded } from './recorded.js';

/** The API that the account of each provider serves. */
const APIS = { anthropic: 'anthropic', openai: 'responses', google: 'google', mistral: 'chat' } as const;
type Provider = keyof typeof APIS;
const PROVIDERS = Object.keys(APIS) as Provider[];
const PRICE = { input_cost_per_million_tokens: 10, output_cost_per_million_tokens: 10 };

/** The models of an account: one that follows the script, and one that the script can distinguish. */
const MODELS = ['scripted', 'careless'] as const;

/** A deployment of a coding agent. */
export interface RacingAgent {
  /** A name, or a preset of the test. */
  preset: string | object;
  provider: Provider;
  model?: (typeof MODELS)[number];
  protocol?: 'acp';
}

interface RacedAttempt {
  id: string;
  agent_name: string;
  case_key: string;
  outcome: string | null;
  passed: boolean | null;
  overall: number | null;
  served_calls?: number;
  error: { code: string; message: string } | null;
}

/** A race that has ended. */
export interface Race {
  id: string;
  attempts: RacedAttempt[];
  events: Recorded[];
}

/** A stack on which coding agents race, with one scripted model behind an account of each API. */
export class AgentRaces {
  /** The credential of all accounts. */
  readonly key = `sk-canary-${randomBytes(12).toString('hex')}`;
  /** All that commands have printed. */
  readonly printed: string[] = [];

  private constructor(
    private readonly folder: StackFolder,
    readonly models: ScriptedModel,
    readonly product: Product,
    private readonly agents: Readonly<Record<string, RacingAgent>>,
  ) {}

  static async start(script: Script, agents: Readonly<Record<string, RacingAgent>>): Promise<AgentRaces> {
    const folder = new StackFolder();
    const models = await scriptedModel(script);
    const races = new AgentRaces(folder, models, await Product.start(folder), agents);
    await races.setSecret('MODEL_KEY', { value: races.key, origin: new URL(models.urlOf('chat')).origin });
    return races;
  }

  async stop(): Promise<void> {
    await this.product.stop();
    await this.models.close();
    this.folder.remove();
  }

  async setSecret(name: string, { value, origin }: { value: string; origin: string }): Promise<void> {
    const set = await this.product.run(['secret', 'set', name, '--host', origin], { stdin: value });
    expect(set).toMatchObject({ code: 0 });
  }

  /** Publishes an example, with replaced texts. */
  async publish(pack: string, replaced: Readonly<Record<string, string>> = {}): Promise<void> {
    let file = path.join(repository, 'examples/challenge-packs', `${pack}.yaml`);
    if (Object.keys(replaced).length > 0) {
      const changed = Object.entries(replaced).reduce(
        (text, [from, to]) => text.replaceAll(from, to),
        readFileSync(file, 'utf8'),
      );
      file = path.join(this.folder.path, `${pack}.yaml`);
      writeFileSync(file, changed);
    }
    await this.product.read('challenge-pack', 'publish', file);
  }

  /** Makes or changes the deployments of all agents. */
  async deploy(config: { instructions?: string } = {}): Promise<void> {
    const file = path.join(this.folder.path, 'agents.yaml');
    writeFileSync(file, JSON.stringify(this.deployments(config)));
    await this.product.read('deployment', 'create', '-f', file);
  }

  private deployments(config: object): object {
    return {
      provider_accounts: PROVIDERS.map((name) => ({
        name,
        provider_key: name,
        base_url: this.models.urlOf(APIS[name]),
        credential_reference: 'workspace-secret://MODEL_KEY',
        pricing: {
          models: MODELS.map((model) => ({ ...PRICE, provider_key: name, provider_model_id: model })),
        },
      })),
      model_aliases: PROVIDERS.flatMap((name) =>
        MODELS.map((model) => ({ name: `${name}-${model}`, provider_account: name, model })),
      ),
      runtime_profiles: [
        { name: 'coding', run_timeout_seconds: 600, max_iterations: 30, sandbox: { cpu: 2 } },
      ],
      deployments: Object.entries(this.agents).map(
        ([name, { preset, provider, model = 'scripted', protocol }]) => ({
          name,
          kind: 'program',
          runtime_profile: 'coding',
          config: {
            ...config,
            preset,
            models: { main: `${provider}-${model}` },
            ...(protocol && { protocol }),
          },
        }),
      ),
    };
  }

  /** Races agents to the end; default: all. */
  async race(pack: string, words: readonly string[] = [], names = Object.keys(this.agents)): Promise<Race> {
    return await this.start('--pack', pack, '--deployment', ...names, ...words);
  }

  /** Races with the recorded replies of an earlier race. */
  async replay({ id }: Race, words: readonly string[] = []): Promise<Race> {
    return await this.start('--replay-from', id, ...words);
  }

  private async start(...words: string[]): Promise<Race> {
    const { id } = await this.product.read<{ id: string }>('eval', 'start', ...words);
    const shown = await this.product.run(['run', 'show', id, '--follow'], { timeoutMs: 1_500_000 });
    const { items } = await this.product.read<{ items: RacedAttempt[] }>('run', 'attempts', id);
    const exported = await this.product.run(['run', 'export', id]);
    this.printed.push(shown.stdout, shown.stderr, exported.stdout);
    const attempts = items.sort((a, b) => labelOf(a).localeCompare(labelOf(b)));
    return { id, attempts, events: readRecorded(exported.stdout) };
  }

  /** The database and every file of the stack; the stack runs on. */
  async kept(): Promise<KeptText[]> {
    return [...(await databaseOf(this.product)), ...filesOf(this.folder.data)];
  }

  /** Where a secret occurs: in the database, in files of the stack, or in the output of a command. */
  async locationsOf(secret: string): Promise<string[]> {
    const printed = { where: 'printed', texts: this.printed };
    return pathsWith([secret], [...(await this.kept()), printed]);
  }
}

const labelOf = ({ agent_name, case_key }: RacedAttempt) => `${agent_name} ${case_key}`;

/** The model calls of a race, as they ended. */
export function modelCalls({ events }: Race): { served_from?: string; cost_usd?: number }[] {
  return events
    .filter(({ event_type }) => event_type === 'model.call.completed')
    .map(({ payload }) => payload);
}

/** The verdicts of a race, by agent and case. */
export function verdictsOf({ attempts }: Race): object[] {
  return attempts.map(({ agent_name, case_key, outcome, passed, overall }) => {
    return { agent_name, case_key, outcome, passed, overall };
  });
}

/** Six coding agents that people use. */
export const CODING_AGENTS = {
  'claude-code': { preset: 'claude-code', provider: 'anthropic' },
  codex: { preset: 'codex', provider: 'openai' },
  'gemini-cli': { preset: 'gemini-cli', provider: 'google' },
  opencode: { preset: 'opencode', provider: 'mistral' },
  pi: { preset: 'pi', provider: 'mistral' },
  'qwen-code': { preset: 'qwen-code', provider: 'mistral' },
} as const satisfies Record<string, RacingAgent>;

/** Attempts of these at once: more processes than cores make all of them slower. */
export const CODING_AGENTS_AT_ONCE = ['--max-concurrency', '3'];

const FIXED = {
  slug: `import re\n\ndef slug(title):\n    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")\n`,
  chunks: `def chunks(text, size):\n    return [text[at:at + size] for at in range(0, len(text), size)]\n`,
};

/** Reads and writes a file of the pack fix-the-tests, runs its tests, and ends. */
const editing =
  (file: string, contentOf: (name: keyof typeof FIXED) => string): Script =>
  ({ tools, resultCount, contains }) => {
    if (tools.length === 0) return { text: 'A title' };
    const name = contains('function `slug`') ? 'slug' : 'chunks';
    if (resultCount === 0) return { read: `/workspace/${file}` };
    if (resultCount === 1) return { write: { path: `/workspace/${file}`, content: contentOf(name) } };
    // The line before has the time.
    if (resultCount === 2) return { run: 'cd /workspace && python3 -m unittest 2>&1 | tail -n 1' };
    return { text: 'The tests pass.' };
  };

/** Fixes the code of the pack fix-the-tests. */
export const fixing = editing('text.py', (name) => FIXED[name]);
/** Removes the tests instead. */
export const cheating = editing('test_text.py', () => '# No test, no failure.\n');
