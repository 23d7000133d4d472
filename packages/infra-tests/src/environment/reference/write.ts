// `pnpm reference`: writes the reference of the environment into docs/reference/environment.md.
import { writeFileSync } from 'node:fs';
import { ENVIRONMENT_PAGE, environmentPage } from './environment-page.js';

writeFileSync(ENVIRONMENT_PAGE, environmentPage());
