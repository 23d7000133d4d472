// Part of `pnpm reference`: writes the reference of the validators into docs/reference/validators.md.
import { writeFileSync } from 'node:fs';
import { VALIDATORS_PAGE, validatorsPage } from './generated-files.js';

writeFileSync(VALIDATORS_PAGE, validatorsPage());
