import { z } from 'zod';
import { findFiles } from './find-files.js';
import { definePrimitive } from './primitive.js';

const FILES_MAX = 2_000;

export const listFiles = definePrimitive({
  description: 'List the files below a directory, recursively.',
  shape: z.strictObject({
    prefix: z.string().optional().describe('Directory; default: the working directory.'),
  }),
  mainFields: ['files'],
  run: async ({ prefix = '' }, context) => {
    const { files, truncated } = await findFiles(context, prefix, FILES_MAX);
    return { prefix, files, ...(truncated && { truncated }) };
  },
});
