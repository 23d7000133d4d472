import { parseSync } from '@swc/core';

const SPEC = /spec\.tsx?$/;
const TEST = new Set(['test', 'it']);
export const FUNCTIONS = new Set([
  'ArrowFunctionExpression',
  'FunctionExpression',
  'FunctionDeclaration',
  'ClassMethod',
  'MethodProperty',
]);

/** Runs a check on the syntax tree of every spec; it returns violations as `{node, message}`. */
export function checkSpecs(workspace, check) {
  return workspace.flatMap(({ files }) =>
    files
      .filter(({ path }) => SPEC.test(path))
      .flatMap((file) => {
        const module = parse(file);
        if (module === undefined) return [];
        const lineOf = linesOf(file.text, module);
        return check(module).map(({ node, message }) => ({ at: `${file.path}:${lineOf(node)}`, message }));
      }),
  );
}

const parsed = new WeakMap();

function parse(file) {
  if (!parsed.has(file)) {
    try {
      const tsx = file.path.endsWith('x');
      parsed.set(file, parseSync(file.text, { syntax: 'typescript', tsx, decorators: true }));
    } catch {
      // The compiler reports what cannot be parsed.
      parsed.set(file, undefined);
    }
  }
  return parsed.get(file);
}

/** The title and the function of `test('…', () => …)` and `test.each(…)('…', () => …)`; undefined for any other call. */
export function testOf(node) {
  if (node.type !== 'CallExpression') return undefined;
  const { callee, arguments: given } = node;
  const base = callee.type === 'CallExpression' ? callee.callee : callee;
  const parts = namesOf(base);
  if (!TEST.has(parts[0])) return undefined;
  if (callee.type !== 'CallExpression' && parts.includes('each')) return undefined;
  const expressions = given.map(({ expression }) => expression);
  return {
    title: expressions[0],
    body: expressions.find(({ type }) => FUNCTIONS.has(type)),
    isSkipped: parts.includes('skip') || parts.includes('todo'),
  };
}

/** `['expect', 'objectContaining']` of `expect.objectContaining`; through calls and choices, too. What has no name is ''. */
export function namesOf(node) {
  if (node?.type === 'ParenthesisExpression') return namesOf(node.expression);
  if (node?.type === 'ConditionalExpression') {
    const branches = [namesOf(node.consequent), namesOf(node.alternate)];
    return branches.find((names) => !names.includes('skip')) ?? branches[0];
  }
  if (node?.type === 'Identifier') return [node.value];
  if (node?.type === 'MemberExpression') return [...namesOf(node.object), node.property.value];
  if (node?.type === 'CallExpression') return namesOf(node.callee);
  return [''];
}

/** Calls `enter` with every node; `false` leaves out what is below. */
export function visit(node, enter) {
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
