import { type ReviewItem, type ReviewQueue, routes } from '@agentclash/api';
import { useState } from 'react';
import { Loaded } from '../data/loaded.js';
import { useChange } from '../data/use-change.js';
import { useRead } from '../data/use-read.js';
import { Button, ButtonLink } from '../design/button.js';
import { Meter } from '../design/meter.js';
import { Page } from '../design/page.js';
import { Empty, Failure, Loading } from '../design/states.js';
import type { ScreenProps } from '../navigation/screen-route.js';
import { Only } from '../session/only.js';
import { ItemView } from './item-view.js';
import { queueTitle } from './queues.js';
import css from './review.module.css';
import { type Verdict, VerdictForm } from './verdict-form.js';

/** One item after the other, blind to the agents. */
export default function QueueScreen({ params: { queueId } }: ScreenProps<'queueId'>) {
  const queue = useRead(routes.reviews.get, { params: { review_queue_id: queueId } });
  const title = queue.data === undefined ? 'Review' : queueTitle(queue.data);
  return (
    <Page
      title={title}
      lead="The agents are not shown, and the sides are drawn for each person."
      actions={<ButtonLink to={`/reviews/${queueId}/agreement`}>Agreement</ButtonLink>}
    >
      <Only needs="member" to="review">
        <Loaded of={queue} what="the review queue">
          {(data) => <Items queue={data} />}
        </Loaded>
      </Only>
    </Page>
  );
}

const TOUCHED = [
  ...[routes.reviews.next, routes.reviews.item, routes.reviews.get, routes.reviews.list],
  ...[routes.reviews.agreement, routes.reviews.stored],
];

function Items({ queue }: { queue: ReviewQueue }) {
  const review_queue_id = queue.id;
  /** The last item that was passed over. */
  const [after, setAfter] = useState<string>();
  /** The item whose review was withdrawn: it is shown again. */
  const [again, setAgain] = useState<string>();
  const [reviewed, setReviewed] = useState<readonly string[]>([]);
  const next = useRead(routes.reviews.next, {
    params: { review_queue_id },
    query: after === undefined ? {} : { after },
  });
  const repeated = useRead(
    routes.reviews.item,
    { params: { review_queue_id, item_id: again ?? '' } },
    { enabled: again !== undefined },
  );
  const submit = useChange(routes.reviews.submit, { touches: TOUCHED, onSuccess: () => setAgain(undefined) });
  const withdraw = useChange(routes.reviews.withdraw, { touches: TOUCHED });
  const item = again === undefined ? next.data?.item : repeated.data;
  const isBusy = submit.isPending || withdraw.isPending || next.isFetching;

  const review = (shown: ReviewItem, verdict: Verdict) => {
    setReviewed((earlier) => [...earlier.filter((id) => id !== shown.id), shown.id]);
    submit.mutate({
      params: { review_queue_id, item_id: shown.id },
      body: { version: shown.version, ...verdict },
    });
  };
  const skip = (shown: ReviewItem) => {
    setAgain(undefined);
    setAfter(shown.id);
  };
  const last = reviewed.at(-1);
  const undo = () => {
    if (last === undefined) return;
    setReviewed(reviewed.slice(0, -1));
    setAgain(last);
    withdraw.mutate({ params: { review_queue_id, item_id: last } });
  };
  const error = submit.error ?? withdraw.error ?? (again === undefined ? next.error : repeated.error);
  return (
    <>
      {next.data && <Progress reviewed={next.data.reviewed} items={next.data.items} />}
      {error && <Failure error={error} onRetry={() => void next.refetch()} />}
      {item === undefined && !error && <Loading what="the next item" />}
      {item && (
        <div className={css.review}>
          <ItemView key={`${item.id} ${item.version}`} queueId={review_queue_id} item={item} />
          <VerdictForm
            key={`form ${item.id} ${item.version}`}
            item={item}
            isBusy={isBusy}
            onReview={(verdict) => review(item, verdict)}
            onSkip={() => skip(item)}
            onUndo={last === undefined ? undefined : undo}
          />
        </div>
      )}
      {item === null && next.data && (
        <Empty
          title={next.data.reviewed === next.data.items ? 'Nothing is left to review' : 'No item follows'}
        >
          {next.data.reviewed < next.data.items && (
            <p>
              {next.data.items - next.data.reviewed} were passed over.{' '}
              <Button onClick={() => setAfter(undefined)}>Review them</Button>
            </p>
          )}
          {last !== undefined && <Button onClick={undo}>Undo the last review</Button>}
          <ButtonLink to={`/reviews/${review_queue_id}/agreement`} kind="primary">
            See the agreement
          </ButtonLink>
        </Empty>
      )}
    </>
  );
}

function Progress({ reviewed, items }: { reviewed: number; items: number }) {
  const label = `${reviewed} of ${items} reviewed by you`;
  return (
    <p role="status">
      <Meter label={label} parts={[{ share: items === 0 ? 0 : reviewed / items, tone: 'accent' }]} /> {label}
    </p>
  );
}
