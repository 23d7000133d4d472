import { parseSync } from '@swc/core';

const SPEC = /spec\.tsx?$/;
const TEST = new Set(['test', 'it']);
/** What fails a test: an assertion, or a wait for a condition or an event. */
const ASSERTS = /^(?:expect|assert|waitFor|until|once|shows)|Reaches$/;
const MATCHERS = new Set(['toMatchObject', 'objectContaining', 'arrayContaining']);
const FUNCTIONS = new Set([
  'ArrowFunctionExpression',
  'FunctionExpression',
  'FunctionDeclaration',
  'ClassMethod',
  'MethodProperty',
]);

/**
 * Tests that cannot fail: a RegExp inside of `toMatchObject` matches anything, a test without an assertion passes always,
 * and a `return` before its assertions counts a test that did not run as passed (`test.skip` shows it).
 */
export function checkTestAssertions(workspace) {
  return workspace.flatMap(({ files }) =>
    files.filter(({ path }) => SPEC.test(path)).flatMap((file) => checkSpec(file)),
  );
}

function checkSpec({ path, text }) {
  let module;
  try {
    module = parseSync(text, { syntax: 'typescript', tsx: path.endsWith('x'), decorators: true });
  } catch {
    // The compiler reports what cannot be parsed.
    return [];
  }
  const lineOf = linesOf(text, module);
  const asserting = assertingFunctions(module);
  const violations = [];
  visit(module, (node) => {
    if (node.type !== 'CallExpression') return;
    if (MATCHERS.has(nameOf(node.callee))) {
      for (const pattern of node.arguments.flatMap(({ expression }) => patternsIn(expression))) {
        violations.push({
          line: lineOf(pattern),
          message: `a RegExp in ${nameOf(node.callee)} asserts nothing: use expect.stringMatching`,
        });
      }
    }
    const body = bodyOfTest(node);
    if (body === undefined) return;
    if (!asserts(body, asserting)) {
      violations.push({ line: lineOf(node), message: 'a test without an assertion cannot fail' });
    }
    for (const early of returnsOf(body.body)) {
      violations.push({
        line: lineOf(early),
        message: 'a return in a test passes it without testing: use test.skip for what cannot run',
      });
    }
  });
  return violations.map(({ line, message }) => ({ at: `${path}:${line}`, message }));
}

/** The function of `test('…', () => …)` and `test.each(…)('…', () => …)`; undefined for any other call. */
function bodyOfTest({ callee, arguments: given }) {
  const base = callee.type === 'CallExpression' ? callee.callee : callee;
  const parts = namesOf(base);
  if (!TEST.has(parts[0]) || parts.includes('skip') || parts.includes('todo')) return undefined;
  if (callee.type !== 'CallExpression' && parts.includes('each')) return undefined;
  return given.map(({ expression }) => expression).find(({ type }) => FUNCTIONS.has(type));
}

/** Names of the functions and methods of a file that assert, themselves or by others of the file. */
function assertingFunctions(module) {
  const bodies = new Map();
  visit(module, (node) => {
    if (node.type === 'FunctionDeclaration') bodies.set(node.identifier.value, node);
    if (node.type === 'VariableDeclarator' && node.init && FUNCTIONS.has(node.init.type))
      bodies.set(node.id.value, node.init);
    if (node.type === 'ClassMethod') bodies.set(node.key.value, node.function);
  });
  const found = new Set();
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const [name, body] of bodies) if (asserts(body, found)) found.add(name);
  }
  return found;
}

function asserts(body, asserting) {
  let isFound = false;
  visit(body, (node) => {
    if (node.type !== 'CallExpression') return;
    isFound ||= namesOf(node.callee).some((name) => ASSERTS.test(name) || asserting.has(name));
    // A function that asserts and is handed on, as a check is.
    isFound ||= node.arguments.some(({ expression }) => asserting.has(expression.value));
  });
  return isFound;
}

/** The returns without a value of a function itself, not of those inside of it. */
function returnsOf(body) {
  const found = [];
  visit(body, (node) => {
    if (FUNCTIONS.has(node.type)) return false;
    if (node.type === 'ReturnStatement' && !node.argument) found.push(node);
  });
  return found;
}

/** RegExp literals in literals of objects and arrays; those that a call takes are for the call. */
function patternsIn(node) {
  if (node?.type === 'RegExpLiteral') return [node];
  if (node?.type === 'ArrayExpression')
    return node.elements.flatMap((element) => patternsIn(element?.expression));
  if (node?.type === 'ObjectExpression') return node.properties.flatMap(({ value }) => patternsIn(value));
  if (node?.type === 'ParenthesisExpression' || node?.type === 'TsAsExpression')
    return patternsIn(node.expression);
  return [];
}

function nameOf(callee) {
  return namesOf(callee).at(-1);
}

/** `['expect', 'objectContaining']` of `expect.objectContaining`; through calls and choices, too. */
function namesOf(node) {
  if (node?.type === 'ParenthesisExpression') return namesOf(node.expression);
  if (node?.type === 'ConditionalExpression') {
    const branches = [namesOf(node.consequent), namesOf(node.alternate)];
    return branches.find((names) => !names.includes('skip')) ?? branches[0];
  }
  if (node?.type === 'Identifier') return [node.value];
  if (node?.type === 'MemberExpression') return [...namesOf(node.object), node.property.value];
  if (node?.type === 'CallExpression') return namesOf(node.callee);
  return [];
}

/** Calls `enter` with every node; `false` leaves out what is below. */
function visit(node, enter) {
  if (node === null || typeof node !== 'object') return;
  if (Array.isArray(node)) {
    for (const each of node) visit(each, enter);
    return;
  }
  if (typeof node.type === 'string' && enter(node) === false) return;
  for (const value of Object.values(node)) visit(value, enter);
}

/** Lines of nodes: their positions count bytes, over all files that were parsed. */
function linesOf(text, module) {
  const bytes = Buffer.from(text);
  // The module begins at its first token.
  const first = Buffer.byteLength(text.slice(0, firstToken(text)));
  return ({ span }) => {
    const offset = span.start - module.span.start + first;
    return bytes.subarray(0, offset).toString().split('\n').length;
  };
}

function firstToken(text) {
  const [skipped] = /^(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/.exec(text);
  return skipped.length;
}
