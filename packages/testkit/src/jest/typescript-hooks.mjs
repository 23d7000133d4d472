import { readFile } from 'node:fs/promises';
import { transform } from '@swc/core';
import { swcOptions } from './swc-options.mjs';

/** Node's module hooks that run the workspace from its TypeScript sources. */
export async function resolve(specifier, context, next) {
  const own = { ...context, conditions: ['agentclash-source', ...context.conditions] };
  if (!context.parentURL?.endsWith('.ts') || !/^\.{1,2}\/.*\.js$/.test(specifier))
    return next(specifier, own);
  return next(specifier.replace(/\.js$/, '.ts'), own);
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const source = await readFile(new URL(url), 'utf8');
  const { code } = await transform(source, { ...swcOptions, swcrc: false, sourceMaps: 'inline' });
  return { format: 'module', source: code, shortCircuit: true };
}
