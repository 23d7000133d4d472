import type { Model } from '@agentclash/models';
import { createRedactor, type Secret } from '@agentclash/redaction';

/** The model with these secrets redacted from its replies: a reply is stored and shown to every reader of the score. */
export function withRedactedReplies(model: Model, opened: readonly Secret[]): Model {
  const { providerKey, name, maxOutputTokens } = model;
  return {
    ...{ providerKey, name, maxOutputTokens },
    priceOf: (usage) => model.priceOf(usage),
    async call(request) {
      const reply = await model.call(request);
      return { ...reply, text: createRedactor(opened).text(reply.text) };
    },
  };
}
