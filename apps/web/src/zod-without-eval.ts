import { config } from 'zod';

// The page's policy forbids evaluation; zod need not even try.
config({ jitless: true });
