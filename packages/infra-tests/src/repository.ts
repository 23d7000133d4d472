import path from 'node:path';

/** The repository's root folder. */
export const repository = path.resolve(import.meta.dirname, '../../..');
