import { type ReviewAgreement, routes } from '@agentclash/api';
import { getReviewQueue } from '../../lookup/review-queues.js';
import type { Session } from '../../session/session.js';
import { score } from '../../terminal/figures.js';
import type { Output } from '../../terminal/output.js';
import { type Column, facts, layout, table } from '../../terminal/table.js';

type People = ReviewAgreement['people'];

export async function showAgreement(
  session: Session,
  { queue: reference }: { queue?: string },
): Promise<undefined> {
  const { out } = session;
  const client = await session.client();
  const { id: review_queue_id } = await getReviewQueue(client, reference);
  const agreement = await client.call(routes.reviews.agreement, { params: { review_queue_id } });
  out.result(agreement, () => agreementText(agreement, out));
  if (agreement.can_apply && agreement.reviews > 0) {
    out.note(out.paint.dim('Score the run with the votes: agentclash review apply'));
  }
}

function agreementText(agreement: ReviewAgreement, out: Output): string {
  const { people, judges, preferences, items, reviewed_items, reviews } = agreement;
  const parts = [
    facts(
      [
        ['reviewed', `${reviewed_items} of ${items} items, ${reviews} reviews`],
        ["Krippendorff's α", score(people.alpha)],
        ['left side', people.left === null ? undefined : shareOf(people.left.share, people.left.votes)],
        ['flips of people', people.flips === null ? undefined : flipsOf(people.flips)],
      ],
      out.paint.dim,
      out.width,
    ),
    tableOf(people.pairs, PAIRS),
    tableOf(people.criteria, CRITERIA),
    tableOf(judges, JUDGES),
    tableOf(preferences, PREFERENCES),
  ];
  return parts.filter((part) => part !== '').join('\n\n');

  function tableOf<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
    return rows.length === 0 ? '' : table(rows, columns, layout(out));
  }
}

const number = <Row>(title: string, value: (row: Row) => string): Column<Row> => {
  return { title, value, align: 'right' };
};

const PAIRS: readonly Column<People['pairs'][number]>[] = [
  { title: 'RATERS', value: ({ raters }) => raters.join(', '), cutTo: 16 },
  number('ITEMS', ({ items }) => String(items)),
  number('AGREEMENT', ({ agreement }) => score(agreement)),
  number('KAPPA', ({ kappa }) => score(kappa)),
];

const CRITERIA: readonly Column<People['criteria'][number]>[] = [
  { title: 'CRITERION', value: ({ key }) => key, cutTo: 16 },
  number('ORDINAL ALPHA', ({ ordinal }) => score(ordinal)),
  number('INTERVAL ALPHA', ({ interval }) => score(interval)),
];

const JUDGES: readonly Column<ReviewAgreement['judges'][number]>[] = [
  { title: 'JUDGE', value: ({ key }) => key, cutTo: 12 },
  { title: 'MODE', value: ({ mode }) => mode },
  number('ITEMS', ({ items }) => String(items)),
  number('UNDECIDED', ({ undecided }) => String(undecided)),
  number('ACCURACY', ({ accuracy }) => score(accuracy)),
  number('TPR', ({ tpr }) => score(tpr)),
  number('TNR', ({ tnr }) => score(tnr)),
  number('FLIPS', ({ flips }) => (flips === null ? '-' : flipsOf(flips))),
];

const PREFERENCES: readonly Column<ReviewAgreement['preferences'][number]>[] = [
  { title: 'AGENT', value: ({ agent }) => agent, cutTo: 12 },
  number('WINS', ({ wins }) => String(wins)),
  number('VOTES', ({ votes }) => String(votes)),
  number('SHARE', ({ wins, votes }) => score(votes === 0 ? null : wins / votes)),
];

function shareOf(share: number | null, of: number): string {
  return `${score(share)} of ${of} votes`;
}

function flipsOf({ flipped, pairs }: { flipped: number; pairs: number }): string {
  return pairs === 0 ? '-' : `${flipped} of ${pairs}`;
}
