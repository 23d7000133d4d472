// `node --import <this file> program.js` writes the address of every module that is loaded to $LOADED_MODULES.
import { appendFileSync } from 'node:fs';
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) register(import.meta.url);

export async function load(url, context, next) {
  // biome-ignore lint/style/noProcessEnv: what is watched reads its own environment, and this is no part of it
  appendFileSync(process.env.LOADED_MODULES, `${url}\n`);
  return next(url, context);
}
