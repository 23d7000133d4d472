import { type ReviewAgreement, type ReviewQueue, routes } from '@agentclash/api';
import { Loaded } from '../data/loaded.js';
import { useChange } from '../data/use-change.js';
import { useRead } from '../data/use-read.js';
import { Button, ButtonLink } from '../design/button.js';
import { formatScore } from '../design/format.js';
import { Page } from '../design/page.js';
import { Panel } from '../design/panel.js';
import { Empty, Failure } from '../design/states.js';
import { type Column, Table } from '../design/table.js';
import type { ScreenProps } from '../navigation/screen-route.js';
import { RunLink } from '../runs/run-name.js';
import { useMay } from '../session/session.js';
import { queueTitle } from './queues.js';
import css from './review.module.css';

type People = ReviewAgreement['people'];

/** How far people agree with each other, and judges with people. */
export default function AgreementScreen({ params: { queueId } }: ScreenProps<'queueId'>) {
  const params = { review_queue_id: queueId };
  const queue = useRead(routes.reviews.get, { params });
  const agreement = useRead(routes.reviews.agreement, { params });
  const mayReview = useMay('member');
  return (
    <Page
      title={queue.data === undefined ? 'Agreement' : `Agreement: ${queueTitle(queue.data)}`}
      lead={queue.data && <RunLink id={queue.data.run_id} view="/review" />}
      actions={mayReview && <ButtonLink to={`/reviews/${queueId}`}>Review</ButtonLink>}
    >
      <Loaded of={agreement} what="the agreement">
        {(data) =>
          data.reviews === 0 ? (
            <Empty title="No reviews yet" />
          ) : (
            <>
              {queue.data && mayReview && data.can_apply && <Apply queue={queue.data} />}
              <Panel title="People">
                <Facts agreement={data} />
              </Panel>
              <Rows title="Pairs of raters" rows={data.people.pairs} columns={RATERS} keyOf={pairOf} />
              <Rows
                title="Criteria"
                rows={data.people.criteria}
                columns={CRITERIA}
                keyOf={({ key }) => key}
              />
              <Rows
                title="Judges against people"
                rows={data.judges}
                columns={JUDGES}
                keyOf={({ key }) => key}
              />
              <Rows
                title="Votes for agents"
                rows={data.preferences}
                columns={PREFERENCES}
                keyOf={({ run_agent_id }) => run_agent_id}
              />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

function Apply({ queue: { id, run_id } }: { queue: ReviewQueue }) {
  const apply = useChange(routes.reviews.apply, {
    touches: [routes.runs.ranking, routes.attempts.scorecard, routes.runAgents.scorecard],
  });
  return (
    <div role="status">
      {apply.data === undefined ? (
        <Button
          kind="primary"
          isBusy={apply.isPending}
          onClick={() => apply.mutate({ params: { review_queue_id: id } })}
        >
          Score the run with the votes
        </Button>
      ) : (
        <p>
          The run is being scored again: <RunLink id={run_id} view="/ranking" />
        </p>
      )}
      {apply.error && <Failure error={apply.error} />}
    </div>
  );
}

function Facts({ agreement: { people, items, reviewed_items, reviews } }: { agreement: ReviewAgreement }) {
  const { alpha, left, flips } = people;
  return (
    <dl className={css.facts}>
      <Fact name="Reviewed">
        {reviewed_items} of {items} items, {reviews} reviews
      </Fact>
      <Fact name="Krippendorff’s α">{formatScore(alpha)}</Fact>
      {left && (
        <Fact name="Votes for the left side">
          {formatScore(left.share)} of {left.votes}
        </Fact>
      )}
      {flips && <Fact name="Flips under swapped order">{flipsOf(flips)}</Fact>}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface RowsProps<Row> {
  title: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
}

function Rows<Row>({ title, rows, columns, keyOf }: RowsProps<Row>) {
  if (rows.length === 0) return null;
  return (
    <Panel title={title} isFlush>
      <Table label={title} rows={rows} columns={columns} keyOf={keyOf} isStacked />
    </Panel>
  );
}

function figure<Row>(key: string, title: string, cell: Column<Row>['cell']): Column<Row> {
  return { key, title, cell, isFigure: true };
}

const RATERS: readonly Column<People['pairs'][number]>[] = [
  { key: 'raters', title: 'Raters', cell: ({ raters }) => raters.join(', ') },
  figure('items', 'Items', ({ items }) => items),
  figure('agreement', 'Agreement', ({ agreement }) => formatScore(agreement)),
  figure('kappa', 'Cohen’s κ', ({ kappa }) => formatScore(kappa)),
];
const CRITERIA: readonly Column<People['criteria'][number]>[] = [
  { key: 'criterion', title: 'Criterion', cell: ({ key }) => key },
  figure('ordinal', 'α, ordinal', ({ ordinal }) => formatScore(ordinal)),
  figure('interval', 'α, interval', ({ interval }) => formatScore(interval)),
];
const JUDGES: readonly Column<ReviewAgreement['judges'][number]>[] = [
  { key: 'judge', title: 'Judge', cell: ({ key }) => key },
  { key: 'mode', title: 'Mode', cell: ({ mode }) => mode, isMinor: true },
  figure('items', 'Items', ({ items }) => items),
  figure('undecided', 'Undecided', ({ undecided }) => undecided),
  figure('accuracy', 'Accuracy', ({ accuracy }) => formatScore(accuracy)),
  figure('tpr', 'TPR', ({ tpr }) => formatScore(tpr)),
  figure('tnr', 'TNR', ({ tnr }) => formatScore(tnr)),
  figure('flips', 'Flips', ({ flips }) => (flips === null ? '–' : flipsOf(flips))),
];
const PREFERENCES: readonly Column<ReviewAgreement['preferences'][number]>[] = [
  { key: 'agent', title: 'Agent', cell: ({ agent }) => agent },
  figure('wins', 'Wins', ({ wins }) => wins),
  figure('votes', 'Votes', ({ votes }) => votes),
  figure('share', 'Share', ({ wins, votes }) => formatScore(votes === 0 ? null : wins / votes)),
];

function pairOf({ raters }: People['pairs'][number]): string {
  return JSON.stringify(raters);
}

function flipsOf({ flipped, pairs }: { flipped: number; pairs: number }): string {
  return pairs === 0 ? '–' : `${flipped} of ${pairs}`;
}
