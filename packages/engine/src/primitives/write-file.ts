import { z } from 'zod';
import { definePrimitive } from './primitive.js';

export const writeFile = definePrimitive({
  description: 'Create or overwrite a file with text; missing directories are made.',
  shape: z.strictObject({
    path: z.string().describe('Absolute, or relative to the working directory.'),
    content: z.string(),
  }),
  run: async ({ path, content }, { sandbox, filesystem }) => {
    const { bytes } = await sandbox.writeFile(path, content, { roots: filesystem.writable_roots });
    return { path, written: true, bytes };
  },
});
