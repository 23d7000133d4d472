import { DEPLOYMENT_STATUSES } from '@agentclash/domain';
import { type Command, Option } from 'commander';
import type { KindName } from '../resources/kind-names.js';
import type { Act } from './act.js';

interface ResourceWords {
  command: string;
  /** The purpose of the group of commands. */
  description: string;
  /** As in `List <many>`. */
  many: string;
  one: string;
}

const RESOURCES: Readonly<Record<KindName, ResourceWords>> = {
  deployment: {
    command: 'deployment',
    description: 'Manage deployments: runnable agents',
    many: 'deployments',
    one: 'a deployment',
  },
  provider_account: {
    command: 'provider-account',
    description: 'Manage accounts at model providers',
    many: 'provider accounts; never their keys',
    one: 'a provider account',
  },
  model_alias: {
    command: 'model-alias',
    description: "Manage stable names for providers' models",
    many: 'model aliases',
    one: 'a model alias',
  },
  runtime_profile: {
    command: 'runtime-profile',
    description: 'Manage execution limits and overrides',
    many: 'runtime profiles',
    one: 'a runtime profile',
  },
  tool: {
    command: 'tool',
    description: 'Manage tools of the workspace',
    many: 'workspace tools',
    one: 'a workspace tool',
  },
  gate_policy: {
    command: 'gate-policy',
    description: 'Manage gate policies: what a release must not lose against its baseline',
    many: 'gate policies, in their newest versions',
    one: 'a gate policy',
  },
};

/** `apply`, and `create`, `list`, `show` and `delete` of everything that a deployment file can make. */
export function declareResources(program: Command, act: Act): void {
  program
    .command('apply')
    .requiredOption(...FILE)
    .description('Create everything of a deployment file that is missing; revise, by name, what differs')
    .action(
      act(() => import('../commands/resource/create.js').then(({ createFrom }) => createFrom('deployment'))),
    );
  for (const [kind, words] of Object.entries(RESOURCES))
    declareResource(program, act, kind as KindName, words);
}

function declareResource(
  program: Command,
  act: Act,
  kind: KindName,
  { command, description, many, one }: ResourceWords,
) {
  const group = program.command(command).description(description);
  const create = group.command('create').description('Create what is missing; revise, by name, what differs');
  if (kind === 'provider_account') {
    declareAccountOptions(create, act);
    declareAccountTest(group, act);
  } else {
    create
      .requiredOption(...FILE)
      .action(act(() => import('../commands/resource/create.js').then(({ createFrom }) => createFrom(kind))));
  }
  const list = group.command('list').description(`List ${many}`);
  if (kind === 'deployment') {
    list.addOption(
      new Option('--status <status>', 'show deployments with this status')
        .choices(DEPLOYMENT_STATUSES)
        .default('active'),
    );
    group
      .command('init')
      .argument('<file>', 'the file to write')
      .option('--force', 'replace the file if it exists')
      .description('Write a commented deployment file, and its schema for editors beside it')
      .action(act(async () => (await import('../commands/resource/init.js')).initDeploymentFile));
    group
      .command('schema')
      .description('Print the JSON Schema that editors complete and check deployment files with')
      .action(act(async () => (await import('../commands/resource/stored.js')).printDeploymentSchema));
  }
  list.action(act(() => import('../commands/resource/stored.js').then(({ listOf }) => listOf(kind))));
  group
    .command('show')
    .argument('<name>', 'name, id, or a part of the id')
    .description(`Show ${one}`)
    .action(act(() => import('../commands/resource/stored.js').then(({ showOf }) => showOf(kind))));
  if (kind === 'deployment') {
    group
      .command('archive')
      .argument('<name>', 'name, id, or a part of the id')
      .option('-y, --yes', 'archive without confirmation; required without a terminal')
      .description(`Archive ${one}; runs keep their snapshots`)
      .action(act(async () => (await import('../commands/resource/stored.js')).archiveDeployment));
    return;
  }
  group
    .command('delete')
    .argument('<name>', 'name, id, or a part of the id')
    .description(`Delete ${one} that nothing uses`)
    .action(act(() => import('../commands/resource/stored.js').then(({ deleteOf }) => deleteOf(kind))));
}

const FILE = ['-f, --file <file>', 'a deployment file; - is standard input'] as const;

function declareAccountOptions(create: Command, act: Act): void {
  create
    .option(...FILE)
    .option('--name <name>', 'what the account is called; needed without a file')
    .option(
      '--provider <provider>',
      'the provider: openai, anthropic, google, xai, mistral, openrouter or openai_compatible',
    )
    .option('--base-url <url>', 'call this address instead of that of the provider')
    .option('--credential <key>', 'the secret that holds the key')
    .option('--api-key', 'read the key from standard input or a hidden prompt, and store it with the account')
    .action(act(async () => (await import('../commands/provider-account.js')).createAccount));
}

function declareAccountTest(group: Command, act: Act): void {
  group
    .command('test')
    .argument('<name>', 'name, id, or a part of the id')
    .description('Call a model of the account once, to see that it works')
    .option('--model <model>', 'the model to call; default: that of the oldest alias of the account')
    .action(act(async () => (await import('../commands/provider-account.js')).testAccount));
}
