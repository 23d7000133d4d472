// `pnpm schema`: writes the editor schema and the field reference of the guide.
import { writeFileSync } from 'node:fs';
import { generatedFiles } from './generated-files.js';

for (const { file, text } of generatedFiles()) writeFileSync(file, text);
