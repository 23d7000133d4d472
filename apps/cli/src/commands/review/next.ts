import {
  type Client,
  type NextReviewItem,
  type ReviewItem,
  type ReviewQueue,
  type ReviewSpec,
  routes,
} from '@agentclash/api';
import { getReviewQueue } from '../../lookup/review-queues.js';
import type { Session } from '../../session/session.js';
import { type Choice, chooseKey, promptLine } from '../../terminal/prompt.js';
import { itemText } from './item-text.js';

interface Input {
  queue?: string;
  after?: string;
}

type Key = '1' | '2' | '0' | 'p' | 'f' | 's' | 'u' | 'q';
type Verdict = Pick<ReviewSpec, 'vote' | 'label' | 'scores'>;

const PAIR_KEYS: readonly Choice<Key>[] = [
  { value: '1', label: 'the left one is better' },
  { value: '2', label: 'the right one is better' },
  { value: '0', label: 'a tie' },
];
const SINGLE_KEYS: readonly Choice<Key>[] = [
  { value: 'p', label: 'pass' },
  { value: 'f', label: 'fail' },
];
const VERDICTS: Partial<Record<Key, Verdict>> = {
  ...{ '1': { vote: 'left' }, '2': { vote: 'right' }, '0': { vote: 'tie' } },
  ...{ p: { label: 'pass' }, f: { label: 'fail' } },
};

/** Item after item where a person can reply; else the next item as the result. */
export async function reviewNext(session: Session, { queue: reference, after }: Input): Promise<undefined> {
  const client = await session.client();
  const queue = await getReviewQueue(client, reference);
  if (session.canPrompt) {
    await reviewAll(session, { client, queue, after });
    return;
  }
  const { out } = session;
  const next = await nextItem(client, queue, after);
  out.result(next, () => {
    const { item } = next;
    if (item === null) return leftLine(next, after);
    return `${itemText(item, out.paint)}\n\n${progressLine(next)}\nitem ${item.id}, version ${item.version}`;
  });
  if (next.item !== null) out.note(out.paint.dim(`Review it with: agentclash review submit ${next.item.id}`));
}

interface Reviewing {
  client: Client;
  queue: ReviewQueue;
  after: string | undefined;
}

async function reviewAll({ out }: Session, { client, queue, after: given }: Reviewing): Promise<void> {
  const reviewed: string[] = [];
  let after = given;
  for (let next = await nextItem(client, queue, after); ; next = await nextItem(client, queue, after)) {
    const { item } = next;
    if (item === null) {
      out.line(leftLine(next, after));
      return;
    }
    out.line(`\n${itemText(item, out.paint)}\n`);
    const params = { review_queue_id: queue.id, item_id: item.id };
    const key = await chooseKey(out, progressLine(next), [
      ...(item.kind === 'pairwise' ? PAIR_KEYS : SINGLE_KEYS),
      { value: 's', label: 'skip it for now' },
      ...(reviewed.length > 0 ? [{ value: 'u' as const, label: 'undo the last review' }] : []),
      { value: 'q', label: 'stop' },
    ]);
    if (key === 'q') return;
    if (key === 's') after = item.id;
    if (key === 'u') {
      const last = reviewed.pop() ?? item.id;
      await client.call(routes.reviews.withdraw, { params: { ...params, item_id: last } });
      after = undefined;
    }
    const verdict = VERDICTS[key];
    if (verdict === undefined) continue;
    const scores = item.kind === 'single' ? await promptScores(out, item) : {};
    const body = { version: item.version, ...verdict, ...(Object.keys(scores).length > 0 && { scores }) };
    await client.call(routes.reviews.submit, { params, body });
    reviewed.push(item.id);
  }
}

async function promptScores(out: Session['out'], { criteria }: ReviewItem): Promise<Record<string, number>> {
  const scores: Record<string, number> = {};
  for (const { key, mode, min, max } of criteria) {
    const scale = mode === 'assertion' ? '1 or 0' : `${min} to ${max}`;
    for (;;) {
      const text = await promptLine(out, `${key}: ${scale}, Enter for none`);
      if (text === '') break;
      const score = Number(text);
      if (score >= min && score <= max && (mode !== 'assertion' || Number.isInteger(score))) {
        scores[key] = score;
        break;
      }
      out.warn(`It must be ${scale}.`);
    }
  }
  return scores;
}

async function nextItem(
  client: Client,
  { id: review_queue_id }: ReviewQueue,
  after: string | undefined,
): Promise<NextReviewItem> {
  return await client.call(routes.reviews.next, {
    params: { review_queue_id },
    query: after === undefined ? {} : { after },
  });
}

function progressLine({ reviewed, items }: NextReviewItem): string {
  return `${reviewed} of ${items} reviewed`;
}

function leftLine(next: NextReviewItem, after: string | undefined): string {
  const { reviewed, items } = next;
  if (reviewed === items) return `Nothing is left: you have reviewed all ${items}`;
  if (after === undefined) return `Nothing can be reviewed now: ${progressLine(next)}`;
  return `Nothing is left after the passed over items: ${progressLine(next)}. agentclash review next starts with them`;
}
