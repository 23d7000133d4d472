// `pnpm schema`: writes the JSON Schemas of the front door's messages.
import { writeFileSync } from 'node:fs';
import { frontDoorSchemas, SCHEMA_FILE } from './schemas.js';

writeFileSync(SCHEMA_FILE, frontDoorSchemas());
