import { routes } from '@agentclash/api';
import { reviews } from '@agentclash/contracts';
import { Module } from '@nestjs/common';
import { forward, scope, scopeAndActor, scopeAndRequest, scopeAndSpec } from '../http/forward.js';
import { controllerOf } from '../http/serves-routes.js';

const ReviewsController = controllerOf(routes.reviews, {
  create: forward(reviews.create, scopeAndRequest),
  list: forward(reviews.list, scope),
  get: forward(reviews.get, scope),
  next: forward(reviews.next, scopeAndActor),
  item: forward(reviews.item, scopeAndActor),
  output: forward(reviews.output, (request) => {
    const { output, ...of } = scopeAndActor(request);
    return { ...of, output: Number(output) };
  }),
  submit: forward(reviews.submit, scopeAndSpec),
  withdraw: forward(reviews.withdraw, scopeAndActor),
  stored: forward(reviews.stored, scope),
  agreement: forward(reviews.agreement, scope),
  apply: forward(reviews.apply, scopeAndActor),
});

/** Review of outputs by people. */
@Module({ controllers: [ReviewsController] })
export class ReviewsModule {}
