import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import { definePrimitive } from './primitive.js';

export const readFile = definePrimitive({
  description: 'Read a file, or the part of it given by offset and length in bytes.',
  shape: z.strictObject({
    path: z.string().describe('Absolute, or relative to the working directory.'),
    offset: z.int().min(0).optional().describe('First byte; default 0.'),
    length: z.int().min(0).optional().describe('Bytes to read; default: to the end.'),
  }),
  mainFields: ['content'],
  wholeAt: ({ path }) => path,
  run: async ({ path, offset, length }, { sandbox, filesystem }) => {
    const { data } = await sandbox.readFile(path, { offset, length, roots: filesystem.readable_roots });
    const isText = isUtf8(data);
    return {
      path,
      content: data.toString(isText ? 'utf8' : 'base64'),
      bytes: data.length,
      ...(!isText && { encoding: 'base64' }),
    };
  },
});
