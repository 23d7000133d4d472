import { WEBHOOK_DELIVERY_STATUSES, WEBHOOK_EVENTS } from '@agentclash/domain';
import { type Command, Option } from 'commander';
import type { Act } from './act.js';
import { label, wholeNumber } from './options.js';

const WEBHOOK = ['<webhook>', 'name, id, or a part of the id'] as const;

/** The options of creation and changes alike. */
function described(command: Command): Command {
  return command
    .addOption(
      new Option('--event <events...>', 'what it is sent; default of a new one: all events').choices(
        WEBHOOK_EVENTS,
      ),
    )
    .option('--pack <slug>', "only events of this pack's runs")
    .option('--label <key=value>', 'only events of runs with this label; may be given several times', label);
}

export function declareWebhooks(program: Command, act: Act): void {
  const webhooks = program
    .command('webhook')
    .description('Send events of runs to an address, signed (docs/webhooks.md)');
  described(
    webhooks
      .command('create')
      .argument('<name>')
      .requiredOption('--url <url>', 'the address: https, or http where the operator unlocked it'),
  )
    .description('Create a webhook; its signing secret is shown once')
    .action(act(async () => (await import('../commands/webhook.js')).createWebhook));
  webhooks
    .command('list')
    .description('List webhooks')
    .action(act(async () => (await import('../commands/webhook.js')).listWebhooks));
  described(
    webhooks
      .command('update')
      .argument(...WEBHOOK)
      .option('--url <url>', 'another address'),
  )
    .option('--name <name>', 'another name')
    .option('--all-runs', 'events of all packs and labels again')
    .addOption(new Option('--enable', 'send events again').conflicts('disable'))
    .option('--disable', 'send nothing; pending deliveries fail')
    .description('Change a webhook; options that are not given stay. It keeps its secret')
    .action(act(async () => (await import('../commands/webhook.js')).updateWebhook));
  webhooks
    .command('delete')
    .argument(...WEBHOOK)
    .option('-y, --yes', 'delete without confirmation; required without a terminal')
    .description('Delete a webhook with its secret and its deliveries')
    .action(act(async () => (await import('../commands/webhook.js')).deleteWebhook));
  webhooks
    .command('deliveries')
    .argument(...WEBHOOK)
    .addOption(new Option('--status <status>', 'only those in this state').choices(WEBHOOK_DELIVERY_STATUSES))
    .option('--limit <number>', 'how many, newest first', wholeNumber(1, 10_000), 50)
    .description('Show what was sent in the last 30 days, and what waits')
    .action(act(async () => (await import('../commands/webhook-deliveries.js')).listDeliveries));
  webhooks
    .command('resend')
    .argument(...WEBHOOK)
    .argument('<delivery>', 'the id of the delivery, or a part of it')
    .description('Send a delivery again, with the same id')
    .action(act(async () => (await import('../commands/webhook-deliveries.js')).resendDelivery));
  webhooks
    .command('test')
    .argument(...WEBHOOK)
    .description('Send a test event and show the response; exit code 1 when it failed')
    .action(act(async () => (await import('../commands/webhook-deliveries.js')).testWebhook));
}
