import { writeFileSync } from 'node:fs';
import { sdkTypes } from './sdk-types.js';

// `pnpm reference`: writes the types of `packages/sdk`.

for (const { file, text } of await sdkTypes()) writeFileSync(file, text);
