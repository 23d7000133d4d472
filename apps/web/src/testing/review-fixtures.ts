import type { ReviewAgreement, ReviewItem, ReviewQueue } from '@agentclash/api';
import { AT, id, RUN } from './fixtures.js';

export const QUEUE = id(700);

export function queueOf(more: Partial<ReviewQueue> = {}): ReviewQueue {
  return {
    ...{ id: QUEUE, run_id: RUN, kind: 'pairwise', name: 'tone', seed: 7, items: 3 },
    ...{ created_at: AT, created_by: 'laptop', raters: [{ rater: 'laptop', reviewed: 1 }] },
    ...more,
  };
}

export function reviewItemOf(number: number, more: Partial<ReviewItem> = {}): ReviewItem {
  const output = { next_offset: null, outcome: 'completed' as const };
  return {
    ...{ id: id(710 + number), kind: 'pairwise', version: `version ${number}`, review: null },
    task: { title: `Task ${number}`, instructions: 'Name the **capital**.', is_cut: false },
    inputs: [{ key: 'payload', text: 'Peru', is_cut: false }],
    expected: [{ key: 'capital', text: 'Lima', is_cut: false }],
    criteria: [],
    outputs: [
      { ...output, text: 'It is Lima.', length: 11 },
      { ...output, text: 'Quito', length: 5 },
    ],
    ...more,
  };
}

export const SINGLE: Partial<ReviewItem> = {
  kind: 'single',
  criteria: [
    { key: 'clear', mode: 'rubric', text: 'Is it clear?', min: 1, max: 5 },
    { key: 'rude', mode: 'assertion', text: 'It is rude.', min: 0, max: 1 },
  ],
  outputs: [{ text: 'It is Li', length: 11, next_offset: 8, outcome: 'limit_reached' }],
};

export const AGREEMENT: ReviewAgreement = {
  ...{ review_queue_id: QUEUE, kind: 'pairwise', items: 12, reviewed_items: 10, reviews: 17 },
  people: {
    alpha: 0.412,
    criteria: [{ key: 'clear', ordinal: 0.7, interval: null }],
    pairs: [{ raters: ['ada', 'ben'], items: 5, agreement: 0.8, kappa: 0.6 }],
    left: { votes: 15, share: 0.6 },
    flips: { pairs: 2, flipped: 1 },
  },
  judges: [
    {
      ...{ key: 'clear', mode: 'rubric', items: 10, undecided: 2, accuracy: 0.7, tpr: 0.8, tnr: 0.6 },
      flips: null,
    },
  ],
  preferences: [{ run_agent_id: id(300), agent: 'alpha', wins: 11.5, votes: 17 }],
  can_apply: true,
};
