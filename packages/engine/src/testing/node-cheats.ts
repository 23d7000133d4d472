import type { CheatFiles } from './python-cheats.js';

const REPORT = '<testsuite tests="5" failures="0"></testsuite>';
const FORGE = `
import fs from 'node:fs';
import { execFileSync, spawn } from 'node:child_process';
const forge = () => {
  try { fs.rmSync('/grader/report.xml', { recursive: true, force: true }); fs.writeFileSync('/grader/report.xml', '${REPORT}'); } catch {}
};
const others = () => fs.readdirSync('/proc').filter((name) => Number(name) > 1 && Number(name) !== process.pid);
`;
/** Its tests are in another process, whose memory holds the expected values. */
const READ = `
const read = (name) => { try { return fs.readFileSync(name, 'latin1'); } catch { return ''; } };
`;
const SEARCH = `${READ}
const found = () => others().map((pid) => {
  let text = ['environ', 'cmdline', 'maps'].map((part) => read('/proc/' + pid + '/' + part)).join('');
  for (const line of read('/proc/' + pid + '/maps').split('\\n')) {
    const [range, mode] = line.split(' ');
    if (!mode?.startsWith('rw')) continue;
    const [from, to] = range.split('-').map((part) => Number.parseInt(part, 16));
    try {
      const file = fs.openSync('/proc/' + pid + '/mem', 'r');
      const bytes = Buffer.alloc(Math.min(to - from, 1 << 24));
      fs.readSync(file, bytes, 0, bytes.length, from);
      text += bytes.toString('latin1');
    } catch {}
  }
  return text;
}).join('');
`;
const WRONG = '\nexport function add() { return null; }\n';
const module = (code: string) => ({ 'solution.mjs': code });
const forged = (code: string, add = WRONG) => module(FORGE + code + add);
const inAdd = (line: string) => `\nexport function add(a, b) { ${line} }\n`;
/** Every descriptor that the process was given is written to. */
const flood = (text: string) => `
for (let number = 3; number < 40; number += 1) {
  try {
    if (!fs.fstatSync(number).isFIFO()) continue;
    const body = Buffer.from(${text});
    const head = Buffer.alloc(4);
    head.writeUInt32BE(body.length);
    fs.writeSync(number, Buffer.concat([head, body]));
  } catch {}
}`;

export const NODE_HONEST: CheatFiles = module(`
export function add(a, b) {
  if (typeof a !== 'number' || typeof b !== 'number') throw new TypeError('no numbers');
  return a + b;
}
`);

export const NODE_BROKEN: CheatFiles = module(
  'export function add(a, b) { if (a > 1000) throw new RangeError("large"); return a + b; }\n',
);

/** None of these adds. */
export const NODE_CHEATS: Record<string, CheatFiles> = {
  'nothing at all': {},
  'a function that returns nothing': module(WRONG),
  'an exit while it is loaded': forged('forge();\nprocess.exit(0);\n'),
  'an exit in the call': forged('', inAdd('forge(); process.exit(0);')),
  'a forged report when the process ends': forged("process.on('exit', forge);\n", inAdd('process.exit(0);')),
  'an error that the tests may expect, while it is loaded': module('throw new TypeError("no");\n'),
  'a report as a directory': forged(
    "fs.mkdirSync('/grader/report.xml/full/deep', { recursive: true });\nfs.chmodSync('/grader/report.xml', 0);\n",
  ),
  'an object with the methods of a number': module(`
export function add() { return { valueOf: () => 42, toString: () => '42', [Symbol.toPrimitive]: () => 42, toJSON: () => 42 }; }
`),
  'a class whose instances equal everything': module(`
class Equal { [Symbol.toPrimitive]() { return 42; } valueOf() { return 42; } static [Symbol.hasInstance]() { return true; } }
export function add() { return new Equal(); }
`),
  'a proxy that has every member': module(`
export function add() { return new Proxy(function every() {}, { get: () => add(), apply: () => add() }); }
`),
  'patched assertions': module(`
import assert from 'node:assert';
import test from 'node:test';
for (const name of Object.keys(assert)) { try { assert[name] = () => undefined; } catch {} }
for (const name of Object.keys(assert.strict)) { try { assert.strict[name] = () => undefined; } catch {} }
Object.is = () => true; JSON.stringify = () => '["n","NaN"]'; Array.isArray = () => true;
${WRONG}`),
  'forged replies': forged(
    flood(`'C' + JSON.stringify({ number: 1, ok: 42 })`),
    inAdd(`${flood(`'C' + JSON.stringify({ number: 2, ok: 42 })`)} return null;`),
  ),
  'forged results': forged(
    '',
    inAdd(`${flood(`'T' + JSON.stringify({ name: 'small', outcome: 'passed', reason: '' })`)} return null;`),
  ),
  'values that are no values': forged(
    '',
    inAdd(
      `${flood(`'C' + JSON.stringify({ number: 1, ok: ['o', false, [['__proto__', ['h', -1]]]] })`)} return null;`,
    ),
  ),
  'a killed judge': forged(
    '',
    inAdd("for (const pid of others()) { try { process.kill(Number(pid), 'SIGKILL'); } catch {} } forge();"),
  ),
  'a stopped judge': forged(
    '',
    inAdd("forge(); for (const pid of others()) { try { process.kill(Number(pid), 'SIGINT'); } catch {} }"),
  ),
  'a process that outlives it': forged(
    `spawn('sh', ['-c', 'while :; do echo \\'${REPORT}\\' > /grader/report.xml; done'], { detached: true, stdio: 'inherit' }).unref();\n`,
  ),
  'the expected values, from the memory of others': forged(
    SEARCH,
    inAdd('return Number(/add\\(17, 25\\), (\\d+)/.exec(found())?.[1]);'),
  ),
  'the expected values, from the files of the tests': forged(
    `const text = (() => { try { return execFileSync('sh', ['-c', 'cat /grader/* /grader/*/* /tmp/*/* 2>/dev/null; true']).toString(); } catch { return ''; } })();
const sums = new Map([...text.matchAll(/add\\(([^)]*)\\), ([^)]*)/g)].map(([, key, value]) => [key, Number(value)]));\n`,
    inAdd('return sums.get(a + ", " + b);'),
  ),
  'a debugger in the judge': forged(
    `${READ}let calls = 0;
const probe = "require('net').connect(9229, '127.0.0.1').on('connect', () => process.exit(7)).on('error', () => process.exit(0))";\n`,
    inAdd(`
  calls += 1;
  if (calls > 1) try { execFileSync(process.execPath, ['-e', probe]); } catch (error) { if (error.status === 7) return a + b; }
  for (const pid of others()) {
    if (!read('/proc/' + pid + '/cmdline').includes('judge.mjs')) continue;
    try { process.kill(Number(pid), 'SIGUSR1'); } catch {}
  }
  return null;`),
  ),
  'planted data and modules at the place of the tests': forged(
    '',
    inAdd(`
  fs.mkdirSync('/grader/tests', { recursive: true });
  fs.writeFileSync('/grader/tests/sum.txt', '0');
  fs.writeFileSync('/grader/tests/later.mjs', "import assert from 'node:assert'; assert.equal = () => {}; export const check = () => { throw new Error('at the top of a test'); };");
  return 0;`),
  ),
  'planted modules and settings': {
    ...module(WRONG),
    'tests/add.test.mjs': "import test from 'node:test'; test('small', () => {});\n",
    'package.json': '{"type": "module", "imports": {"#x": "./x.mjs"}}',
    'node_modules/node:test/index.js': 'module.exports = () => {};\n',
    '.env': 'NODE_OPTIONS=--test-only\n',
    '.noderc': '--test-only\n',
    'node.config.json': '{"nodeOptions": {"test-only": true}}',
  },
  'a promise instead of a value': module('export async function add() { return 42; }\n'),
  'a loop': module(inAdd('for (;;);')),
};
