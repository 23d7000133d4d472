// `pnpm reference`: writes the reference of the environment into docs/self-hosting.md.
import { writeFileSync } from 'node:fs';
import { GUIDE, guideWithReference } from './guide.js';

writeFileSync(GUIDE, guideWithReference());
