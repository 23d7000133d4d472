import { register } from 'node:module';

// `node --import <this file> program.ts` runs a program of the workspace without a build.
register('./typescript-hooks.mjs', import.meta.url);
