import type { Model } from '@agentclash/models';
import { createRedactor, type Secret } from '@agentclash/redaction';

/** The model, but that its replies show none of these secrets: a reply is kept, and shown to whoever sees the score. */
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
