// `pnpm schema`: writes the JSON Schemas of the bus API's messages.
import { writeFileSync } from 'node:fs';
import { busApiSchemas, SCHEMA_FILE } from './schemas.js';

writeFileSync(SCHEMA_FILE, busApiSchemas());
