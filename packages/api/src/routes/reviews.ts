import {
  NextReviewItem,
  page,
  Rescore,
  Review,
  ReviewAgreement,
  ReviewItem,
  ReviewOutput,
  ReviewQueue,
  ReviewQueueRequest,
  ReviewSpec,
  reviews,
} from '@agentclash/contracts';
import { z } from 'zod';
import { queryOf } from './list-query.js';
import { route } from './route.js';

const path = '/v1/workspaces/{ws}/review-queues';
const queuePath = `${path}/{review_queue_id}` as const;
const itemPath = `${queuePath}/items/{item_id}` as const;

export const reviewRoutes = {
  create: route({
    method: 'POST',
    path,
    access: 'member',
    summary:
      'Create a review queue of an ended run: pairs of outputs, or single ones, drawn by a seed and shown blind to the agents',
    body: ReviewQueueRequest,
    response: ReviewQueue,
    status: 201,
    conflicts: 'The run has not ended, has nothing to review, or has too many queues',
    creates: true,
  }),
  list: route({
    method: 'GET',
    path,
    access: 'viewer',
    summary: 'Review queues with the progress of each rater, newest first',
    query: queryOf(reviews.list.input, 'workspace_id'),
    response: reviews.list.output,
    status: 200,
  }),
  get: route({
    method: 'GET',
    path: queuePath,
    access: 'viewer',
    summary: 'One review queue with the progress of each rater',
    response: ReviewQueue,
    status: 200,
  }),
  next: route({
    method: 'GET',
    path: `${queuePath}/next`,
    access: 'member',
    summary:
      "The next item that the token's holder has not reviewed, in an order of its own; after an item, to pass over it",
    query: queryOf(reviews.next.input, 'workspace_id', 'review_queue_id', 'actor'),
    response: NextReviewItem,
    status: 200,
    conflicts: 'All of the next items are being run again',
  }),
  item: route({
    method: 'GET',
    path: itemPath,
    access: 'member',
    summary: "One item, blind to its agents, with the review of the token's holder",
    response: ReviewItem,
    status: 200,
    conflicts: 'An output of the item is being run again',
  }),
  output: route({
    method: 'GET',
    path: `${itemPath}/outputs/{output}`,
    access: 'member',
    summary: 'More of a long output: 0 is the only or the left one, 1 the right one',
    params: { output: z.enum(['0', '1']) },
    query: queryOf(reviews.output.input, 'workspace_id', 'review_queue_id', 'item_id', 'actor', 'output'),
    response: ReviewOutput,
    status: 200,
    conflicts: 'The output is being run again',
  }),
  submit: route({
    method: 'PUT',
    path: itemPath,
    access: 'member',
    summary:
      "Review an item: a vote for a pair, a label and scores for a single output. It replaces the holder's earlier review, which stays in the history",
    body: ReviewSpec,
    response: reviews.submit.output,
    status: 200,
    conflicts: 'An output was run again since it was shown',
  }),
  withdraw: route({
    method: 'DELETE',
    path: itemPath,
    access: 'member',
    summary: "Withdraw the review of an item by the token's holder",
    response: 'none',
    status: 204,
  }),
  stored: route({
    method: 'GET',
    path: `${queuePath}/reviews`,
    access: 'viewer',
    summary:
      'The reviews of a queue with the agents of the outputs, oldest first; history=true also has replaced ones',
    query: queryOf(reviews.stored.input, 'workspace_id', 'review_queue_id'),
    response: page(Review),
    status: 200,
  }),
  agreement: route({
    method: 'GET',
    path: `${queuePath}/agreement`,
    access: 'viewer',
    summary:
      'Agreement of people with each other (Krippendorff’s alpha, Cohen’s kappa) and of each judge with people (accuracy, TPR, TNR, flips)',
    response: ReviewAgreement,
    status: 200,
  }),
  apply: route({
    method: 'POST',
    path: `${queuePath}/apply`,
    access: 'member',
    summary:
      'Score the run again with the votes on its outputs, as the dimensions of source human_preference',
    response: Rescore,
    status: 202,
    conflicts: 'The pack has no such dimension, there is no vote, or the run is being scored',
    creates: true,
  }),
};
