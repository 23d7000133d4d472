import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root folder of the repository. */
export const repository = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
