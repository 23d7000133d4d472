/** Timers of the tests: before each one the code does what is due, as in one process; fake ones are those of the code too. */
import * as modules from 'node:module';
import { mock } from 'node:test';
import timers from 'node:timers';
import later from 'node:timers/promises';
import { promisify } from 'node:util';

export const { setTimeout: startTimer, clearTimeout: stopTimer, setImmediate: afterThis } = globalThis;
let serveCode = () => {};

function afterCode(original) {
  return async (...values) => {
    const value = await original(...values);
    serveCode();
    return value;
  };
}

for (const name of ['setTimeout', 'setInterval', 'setImmediate']) {
  const original = globalThis[name];
  const timer = (callback, ...rest) => {
    if (typeof callback !== 'function') return original(callback, ...rest);
    function call(...values) {
      serveCode();
      return Reflect.apply(callback, this, values);
    }
    return original(call, ...rest);
  };
  const custom = original[promisify.custom];
  if (custom) Object.defineProperty(timer, promisify.custom, { value: afterCode(custom) });
  Object.defineProperty(timer, 'name', { value: name });
  globalThis[name] = timer;
  timers[name] = timer;
}
for (const name of ['setTimeout', 'setImmediate']) later[name] = afterCode(later[name]);
modules.syncBuiltinESMExports();

const CONTROLS = ['enable', 'tick', 'runAll', 'setTime', 'reset'];

/** `serve` lets the code do what is due, and `control` has a call of its fake timers. */
export function connectTimers(serve, control) {
  serveCode = serve;
  let isFake = false;
  const controls = mock.timers && Object.getPrototypeOf(mock.timers);
  for (const name of controls ? CONTROLS : []) {
    const original = controls[name];
    if (typeof original !== 'function') continue;
    controls[name] = function controlled(...values) {
      const result = Reflect.apply(original, this, values);
      if (name === 'enable') isFake = true;
      if (isFake) control(name, values);
      if (name === 'reset') isFake = false;
      return result;
    };
  }
}
