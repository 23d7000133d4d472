// `pnpm reference`: writes the reference of the HTTP API into docs/reference/http-api.md.
import { writeFileSync } from 'node:fs';
import { HTTP_API_PAGE, httpApiPage } from './http-api-page.js';

writeFileSync(HTTP_API_PAGE, httpApiPage());
