// `pnpm schema`: writes the JSON Schemas of the bus API's messages, and the page with their fields.
import { writeFileSync } from 'node:fs';
import { BUS_PAGE, busPage } from './page.js';
import { busApiSchemas, SCHEMA_FILE } from './schemas.js';

writeFileSync(SCHEMA_FILE, busApiSchemas());
writeFileSync(BUS_PAGE, busPage());
