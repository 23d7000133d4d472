/** From the start of the code under test on, its files may lie where those of the tests were: none is loaded or read. */
import fs from 'node:fs';
import * as modules from 'node:module';
import path from 'node:path';
import * as runner from 'node:test';

const GRADER = '/grader';
const OWN = '/grader/.agentclash';
const contents = new Map();
const state = new Int32Array(new SharedArrayBuffer(4));
const isClosed = () => Atomics.load(state, 0) === 1;

export function close() {
  Atomics.store(state, 0, 1);
}

const refused = (name) =>
  new Error(`agentclash-grade: ${name} is no file that the tests had: load modules at the top of a test`);

/** Data files of the tests are read from memory. */
function serveFiles() {
  for (const entry of fs.readdirSync(GRADER, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath ?? entry.path, entry.name);
    if (entry.isFile() && !file.startsWith(OWN)) contents.set(file, fs.readFileSync(file));
  }
  const { readFileSync, readFile } = fs;
  const { readFile: readLater } = fs.promises;
  const content = (file, options) => {
    const name = pathOf(file);
    if (!contents.has(name)) return undefined;
    const bytes = Buffer.from(contents.get(name));
    const encoding = typeof options === 'string' ? options : options?.encoding;
    return encoding ? bytes.toString(encoding) : bytes;
  };
  fs.readFileSync = (file, options) => content(file, options) ?? guarded(readFileSync)(file, options);
  fs.promises.readFile = async (file, options) => content(file, options) ?? guarded(readLater)(file, options);
  fs.readFile = (file, ...rest) => {
    const found = content(file, rest.length > 1 ? rest[0] : undefined);
    if (found === undefined) return guarded(readFile)(file, ...rest);
    return process.nextTick(rest.at(-1), null, found);
  };
  for (const name of [
    'open',
    'openSync',
    'createReadStream',
    'readdirSync',
    'readdir',
    'existsSync',
    'statSync',
  ]) {
    fs[name] = guarded(fs[name]);
  }
  for (const name of ['open', 'readdir', 'stat', 'access']) fs.promises[name] = guarded(fs.promises[name]);
  modules.syncBuiltinESMExports();
}

function pathOf(file) {
  if (typeof file === 'string') return path.resolve(file);
  return file instanceof URL && file.protocol === 'file:' ? decodeURIComponent(file.pathname) : undefined;
}

function guarded(original) {
  return (file, ...rest) => {
    const name = pathOf(file);
    if (isClosed() && (name === GRADER || name?.startsWith(`${GRADER}/`))) throw refused(name);
    return original(file, ...rest);
  };
}

function guardModules() {
  const { registerHooks, register, Module } = modules;
  const load = (url, context, next) => {
    if (isClosed() && !url.startsWith('node:')) throw refused(url);
    return next(url, context);
  };
  if (registerHooks) return registerHooks({ load });
  const { load: loadRequired } = Module.prototype;
  Module.prototype.load = function guardedLoad(file) {
    if (isClosed()) throw refused(file);
    return loadRequired.call(this, file);
  };
  const hooks = `
    let state;
    export const initialize = (given) => { state = given; };
    export const load = (url, context, next) => {
      if (Atomics.load(state, 0) === 1 && !url.startsWith('node:')) throw new Error('agentclash-grade: load modules at the top of a test');
      return next(url, context);
    };`;
  return register(`data:text/javascript,${encodeURIComponent(hooks)}`, { data: state });
}

serveFiles();
guardModules();
runner.snapshot?.setResolveSnapshotPath(() => {
  throw new Error('agentclash-grade: write the expected values into the test');
});
