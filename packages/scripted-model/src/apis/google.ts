import { type Api, USAGE } from './api.js';
import { data, parts } from './frames.js';

const STATUSES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};

/** Gemini. */
export const google: Api = {
  write({ id, model, text, call }) {
    const usageMetadata = {
      promptTokenCount: USAGE.input,
      cachedContentTokenCount: USAGE.cached,
      candidatesTokenCount: USAGE.output,
      thoughtsTokenCount: USAGE.reasoning,
      totalTokenCount: USAGE.input + USAGE.output + USAGE.reasoning,
    };
    const contents = call
      ? [
          {
            functionCall: {
              id: `call_${id}`,
              name: call.tool.name,
              args: 'input' in call ? { input: call.input } : call.arguments,
            },
          },
        ]
      : parts(text).map((part) => ({ text: part }));
    const chunk = (content: object[], rest: object = {}) => ({
      candidates: [{ content: { role: 'model', parts: content }, index: 0, ...rest }],
      modelVersion: model,
      responseId: `r_${id}`,
    });
    const end = { finishReason: 'STOP' };
    return {
      whole: { ...chunk(contents, end), usageMetadata },
      frames: [...contents.map((part) => data(chunk([part]))), data({ ...chunk([], end), usageMetadata })],
    };
  },
  error: ({ status, message }) => ({
    error: { code: status, message, status: STATUSES[status] ?? 'UNKNOWN' },
  }),
};
