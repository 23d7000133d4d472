#!/usr/bin/env node
// Read by every Node.js that knows modules: the version is checked before anything that needs a newer one is loaded.
import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const [majorMin, minorMin] = engines.node.replace('>=', '').split('.').map(Number);
const [major, minor] = process.versions.node.split('.').map(Number);
const isSupported = major > majorMin || (major === majorMin && minor >= minorMin);
await import(isSupported ? '../dist/main.js' : './older-node.js');
