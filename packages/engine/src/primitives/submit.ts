import { z } from 'zod';
import { ToolError } from '../tools/tool-error.js';
import { definePrimitive } from './primitive.js';

/** The answer itself is taken by the tool desk, which knows the attempt; delegating to `submit` is refused. */
export const submit = definePrimitive({
  description: 'Give your final answer. The attempt ends when it is accepted.',
  shape: z.strictObject({
    answer: z.string().describe('The whole answer, as text. It is kept exactly as given.'),
  }),
  run: async () => {
    throw new ToolError('policy', 'submit cannot be delegated to', { origin: 'policy' });
  },
});
