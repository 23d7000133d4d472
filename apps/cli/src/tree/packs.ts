import { EXECUTION_MODES, LIFECYCLE_STATUSES } from '@agentclash/domain';
import { type Command, Option } from 'commander';
import type { Act } from './act.js';
import { textNoOption, wholeNumber } from './options.js';

const versionNumber = wholeNumber(1, 2_147_483_647);

export function declarePacks(program: Command, act: Act): void {
  const packs = program
    .command('challenge-pack')
    .alias('pack')
    .description('Write, check, publish and list challenge packs');
  packs
    .command('init')
    .argument('<file>', 'the file to write')
    .addOption(
      new Option('--template <template>', 'the kind of pack').choices(EXECUTION_MODES).default('native'),
    )
    .option('--force', 'replace the file if it exists')
    .option(
      '--no-skill',
      'write no skill for coding agents (.agents/skills, and .claude/skills where there is .claude)',
    )
    .description(
      'Write a commented starter pack that validates, and a skill that teaches coding agents the rest',
    )
    .action(act(async () => (await import('../commands/challenge-pack/init.js')).initPack));
  packs
    .command('schema')
    .description('Print the JSON Schema that editors complete and check packs with')
    .action(act(async () => (await import('../commands/challenge-pack/init.js')).printPackSchema));
  packs
    .command('validate')
    .argument('<files...>', 'packs; - is standard input')
    .option('--strict', 'treat warnings as errors')
    .option('--remote', 'let the server check, which also knows the tools and secrets of the workspace')
    .description('Check packs and show every problem at once; offline')
    .action(act(async () => (await import('../commands/challenge-pack/validate.js')).validatePacks));
  packs
    .command('audit')
    .argument('<file>', 'a file, or a published version as SLUG or SLUG@VERSION')
    .option('--quick', 'try fewer cases, repetitions and mutants')
    .option(
      '--seed <text>',
      'draw the cases and mutants of a file by this text; default: the digest of the pack',
      textNoOption,
    )
    .option('--junit <file>', 'write the checks and findings as JUnit XML', textNoOption)
    .option('--no-wait', 'start the audit of a version, and do not wait for its end')
    .option('--last', 'show the report of the newest completed audit of a version, and start none')
    .option('--cancel', 'cancel the audit of a version that is queued or running')
    .description(
      'Run solutions, idle agents, cheats and mutants on a pack: a file in sandboxes of this machine, a published version on the server',
    )
    .action(act(async () => (await import('../commands/challenge-pack/audit.js')).auditPackFile));
  packs
    .command('publish')
    .argument('<file>', 'the pack; - is standard input')
    .option('--strict', 'treat warnings as errors')
    .option(
      '--require-audit',
      'audit the pack on this machine first, and publish nothing where it does not pass',
    )
    .option('--draft', 'store a version that is in no list and kept for two days, to try it in runs')
    .description('Publish a version; repeating it changes nothing')
    .action(act(async () => (await import('../commands/challenge-pack/publish.js')).publishPack));
  packs
    .command('list')
    .option('--family <family>', 'only packs of this family')
    .addOption(
      new Option('--lifecycle-status <status>', 'only versions with this status').choices(LIFECYCLE_STATUSES),
    )
    .option('--search <text>', 'only packs whose slug or name holds this')
    .description('List packs with their versions')
    .action(act(async () => (await import('../commands/challenge-pack/published.js')).listChallengePacks));
  packs
    .command('show')
    .argument('<slug>', "the pack's slug or id")
    .option('--pack-version <number>', 'show one version; default: the newest', versionNumber)
    .description('Show a pack, its versions and its input sets')
    .action(act(async () => (await import('../commands/challenge-pack/published.js')).showChallengePack));
  for (const [verb, description] of LIFECYCLE) {
    const command = packs.command(verb);
    if (verb === 'archive')
      command.option('-y, --yes', 'archive without confirmation; required without a terminal');
    command
      .argument('<slug>', "the pack's slug or id")
      .requiredOption('--pack-version <number>', 'the version', versionNumber)
      .description(description)
      .action(act(() => import('../commands/challenge-pack/published.js').then((module) => module[verb])));
  }

  const artifacts = program.command('artifact').description('Store and fetch files');
  artifacts
    .command('upload')
    .argument('<files...>')
    .description('Store files; the same bytes under the same name stay one artifact')
    .action(act(async () => (await import('../commands/artifact/artifacts.js')).uploadArtifacts));
  artifacts
    .command('list')
    .option('--search <text>', 'only files whose name holds this')
    .option('--sha256 <sum>', 'only files with this SHA-256')
    .description('List stored files')
    .action(act(async () => (await import('../commands/artifact/artifacts.js')).listArtifacts));
  artifacts
    .command('download')
    .argument('<id>', "the artifact's id, or its beginning or end")
    .option('-o, --output <file>', "write to this file; default: the artifact's name, - is standard output")
    .option('--force', 'replace the file if it exists')
    .description('Fetch a stored file and check its SHA-256')
    .action(act(async () => (await import('../commands/artifact/download.js')).downloadArtifact));
  artifacts
    .command('delete')
    .argument('<id>', "the artifact's id, or its beginning or end")
    .option('-y, --yes', 'delete without confirmation; required without a terminal')
    .description('Delete a stored file that nothing refers to')
    .action(act(async () => (await import('../commands/artifact/artifacts.js')).deleteArtifact));
}

const LIFECYCLE = [
  ['deprecate', 'Leave a version out of default lists; it still runs when named'],
  ['restore', 'Make a deprecated version runnable again'],
  ['archive', 'End a version for good; it starts no runs'],
] as const;
