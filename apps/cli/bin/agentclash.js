#!/usr/bin/env node
// Read by every Node.js that knows modules: the version is checked before anything that needs a newer one is loaded.
import { existsSync, readFileSync } from 'node:fs';
import * as modules from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const [majorMin, minorMin] = engines.node.replace('>=', '').split('.').map(Number);
const [major, minor] = process.versions.node.split('.').map(Number);
const isSupported = major > majorMin || (major === majorMin && minor >= minorMin);
// The code that V8 compiled is kept: compilation is a sixth of the time of a short command. Not by `uninstall`, which removes
// it, and not where there is no home: Node.js 24 tries for ever to create a folder below /proc.
const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
if (process.argv[2] !== 'uninstall' && existsSync(dirname(cache)))
  modules.enableCompileCache?.(join(cache, 'agentclash', 'compiled'));
await import(isSupported ? '../dist/main.js' : './older-node.js');
