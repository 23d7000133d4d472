import { BudgetExhausted, ModelCallError, type ProviderFailureClass } from '@agentclash/models';
import { describe, expect, test } from '@jest/globals';
import { endOfError } from '../attempt/end-of-error.js';
import { Spending } from '../model/spending.js';
import { AttemptEnded, outcomeOf } from '../outcome/attempt-end.js';
import { FakeModel, type FakeReply } from '../testing/fake-model.js';
import { simulateUser } from './simulator.js';

const input = { persona: 'A customer.', payload: { order: 7 }, transcript: [] };

function simulate(replies: FakeReply[]) {
  const model = new FakeModel(replies, 'sim', 0.25);
  const spending = new Spending({ max_total_tokens: null, max_cost_usd: null });
  const signal = new AbortController().signal;
  return {
    model,
    spending,
    simulated: simulateUser(input, { model, signal, beginWait: () => () => {}, spending }),
  };
}

async function endOf(work: Promise<unknown>) {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AttemptEnded)) throw new Error('it did not end');
  return error.end;
}

const failing = (failure: ProviderFailureClass): FakeReply => ({
  before: () => {
    throw new ModelCallError(failure, 'no', {
      tries: 3,
      timing: { queued_ms: 0, ttft_ms: null, total_ms: 1 },
      retryAfterSeconds: 90,
    });
  },
});

describe('a simulated user', () => {
  test('a simulated user sends the message of its model, at its own cost', async () => {
    const { simulated, spending } = simulate([{ text: ' Where is it?\n' }]);
    const { message, spent } = await simulated;
    expect(message).toBe('Where is it?');
    expect(spent.usage.total).toBe(15);
    expect(spending).toMatchObject({ costUsd: 0.25, usage: { total: 15 } });
  });

  test('a blank message of the simulated user is requested once more, and both tries are charged', async () => {
    const { simulated, spending, model } = simulate([{ text: ' ' }, { text: 'Hello?' }]);
    expect((await simulated).message).toBe('Hello?');
    expect(spending.usage.total).toBe(30);
    expect(model.requests[1]).toEqual(model.requests[0]);
  });

  test('two blank messages of the simulated user are a malformed response', async () => {
    const end = await endOf(simulate([{ text: '' }]).simulated);
    expect(end).toMatchObject({ because: 'provider', class: 'malformed_response' });
    expect(outcomeOf(end)).toMatchObject({ outcome: 'provider_error', retryable: true });
  });

  test('a call for the simulated user that the budget of the run refuses cancels the attempt', async () => {
    const before = () => {
      throw new BudgetExhausted();
    };
    const error: unknown = await simulate([{ before }]).simulated.catch((caught: unknown) => caught);
    expect(outcomeOf(endOfError(error))).toMatchObject({ outcome: 'cancelled', code: 'budget' });
  });

  test.each(['rate_limit', 'auth', 'context_length', 'content_filter'] as const)(
    "a simulated user whose model fails with %s is never the agent's failure",
    async (failure) => {
      const outcome = outcomeOf(await endOf(simulate([failing(failure)]).simulated));
      expect(outcome).toMatchObject({ outcome: 'provider_error', retryAfterSeconds: 90 });
    },
  );
});
