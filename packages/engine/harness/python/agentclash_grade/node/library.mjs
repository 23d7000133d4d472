/**
 * Functions of Node and of the language, by name: the process of the code under test uses its own. Called in the judge they
 * would read files, load values and run programs there, as the code wants.
 */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const MODULES = [
  ...['assert', 'buffer', 'child_process', 'crypto', 'events', 'fs', 'fs/promises', 'module', 'os', 'path'],
  ...[
    'process',
    'querystring',
    'stream',
    'string_decoder',
    'timers',
    'timers/promises',
    'url',
    'util',
    'v8',
    'vm',
  ],
  ...['worker_threads', 'zlib'],
];
const isObject = (value) => value !== null && /^(?:object|function)$/.test(typeof value);

/** The names of all functions: [module or '' for a global name, names…]. */
export function libraryFunctions() {
  const found = new Map();
  const add = (value, name) => {
    if (typeof value === 'function' && !found.has(value)) found.set(value, name);
  };
  const addMembers = (object, name) => {
    for (const key of Object.getOwnPropertyNames(object)) {
      add(Object.getOwnPropertyDescriptor(object, key).value, [...name, key]);
    }
  };
  for (const key of Object.getOwnPropertyNames(globalThis)) {
    const { value } = Object.getOwnPropertyDescriptor(globalThis, key);
    add(value, ['', key]);
    if (!isObject(value) || value === globalThis) continue;
    addMembers(value, ['', key]);
    if (isObject(value.prototype)) addMembers(value.prototype, ['', key, 'prototype']);
  }
  for (const module of MODULES) {
    const loaded = require(`node:${module}`);
    add(loaded, [module]);
    addMembers(loaded, [module]);
  }
  return found;
}

/** In the process of the code. */
export function libraryFunction([module, ...names]) {
  return names.reduce((value, name) => value[name], module === '' ? globalThis : require(`node:${module}`));
}
