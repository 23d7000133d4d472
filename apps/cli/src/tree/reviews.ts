import { type Command, Option } from 'commander';
import type { Act } from './act.js';
import { decimal, score, wholeNumber } from './options.js';

const QUEUE = ['[queue]', "the queue's id, its beginning or end; default: the newest one"] as const;
const OF_QUEUE = ['--queue <queue>', 'the queue of the item; default: the newest one'] as const;
const ITEM = ['<item>', 'the id of the item'] as const;

/** The commands by which people review outputs. */
export function declareReviews(program: Command, act: Act): void {
  const reviews = program
    .command('review')
    .description('Review outputs of a run without knowing their agents, and hold judges against people');
  declareQueues(reviews, act);
  declareItems(reviews, act);
  reviews
    .command('agreement')
    .argument(...QUEUE)
    .description('Show how far people agree with each other, and each judge with people')
    .action(act(async () => (await import('../commands/review/agreement.js')).showAgreement));
  reviews
    .command('results')
    .argument(...QUEUE)
    .option('--history', 'also reviews that were replaced or withdrawn')
    .description('List the reviews with the agents of the outputs')
    .action(act(async () => (await import('../commands/review/results.js')).listReviews));
  reviews
    .command('apply')
    .argument(...QUEUE)
    .description('Score the run again with the votes, as its dimensions of source human_preference')
    .action(act(async () => (await import('../commands/review/queues.js')).applyVotes));
}

function declareQueues(reviews: Command, act: Act): void {
  reviews
    .command('create')
    .argument('<run>', "the run's number, its id, a beginning or end of that, or last")
    .addOption(
      new Option('--kind <kind>', 'pairs of outputs, or single ones')
        .choices(['pairwise', 'single'])
        .default('pairwise'),
    )
    .option('--items <number>', 'how many pairs or outputs', wholeNumber(1, 1_000), 100)
    .option(
      '--repeat-share <share>',
      'the share of pairs that come a second time in the other order',
      decimal(0, 1),
      0.1,
    )
    .option('--seed <number>', 'draw the same items again', wholeNumber(0, 2_147_483_647))
    .option('--name <name>', 'a name for the queue')
    .description('Create a review queue of a run that has ended')
    .action(act(async () => (await import('../commands/review/queues.js')).createQueue));
  reviews
    .command('list')
    .option('--run <run>', 'only queues of this run')
    .description('List review queues with the progress of each person')
    .action(act(async () => (await import('../commands/review/queues.js')).listQueues));
}

function declareItems(reviews: Command, act: Act): void {
  reviews
    .command('next')
    .argument(...QUEUE)
    .option('--after <item>', 'pass over the items up to this one')
    .description('Review item after item by keys; without a terminal, show the next one')
    .action(act(async () => (await import('../commands/review/next.js')).reviewNext));
  reviews
    .command('submit')
    .argument(...ITEM)
    .option(...OF_QUEUE)
    .option('--item-version <version>', 'as the item had it when it was shown; default: as it is now')
    .addOption(new Option('--vote <vote>', 'the better output of a pair').choices(['left', 'right', 'tie']))
    .addOption(new Option('--label <label>', 'the verdict on a single output').choices(['pass', 'fail']))
    .option('--score <criterion=score>', 'the score of a criterion; repeatable', score)
    .option('--note <text>', 'a reason')
    .description('Review one item; it replaces your earlier review')
    .action(act(async () => (await import('../commands/review/submit.js')).submitReview));
  reviews
    .command('withdraw')
    .argument(...ITEM)
    .option(...OF_QUEUE)
    .description('Withdraw your review of an item')
    .action(act(async () => (await import('../commands/review/submit.js')).withdrawReview));
}
