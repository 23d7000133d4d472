import { checkSpecs, FUNCTIONS, namesOf, testOf, visit } from './spec-syntax.mjs';

/**
 * Names whose calls fail a test: assertions of Jest, of fast-check and of helpers (`expectHistory`), and waits that throw
 * when their condition stays false. A helper of the file itself counts by its own assertions.
 */
const ASSERTS = /^(?:expect(?:[A-Z]\w*)?|assert|waitFor|waitForURL)$/;
const MATCHERS = new Set(['toMatchObject', 'objectContaining', 'arrayContaining']);

/**
 * Tests that cannot fail: a RegExp inside of `toMatchObject`, written there or in a constant, matches anything, a test without an assertion passes always,
 * and a `return` before its assertions counts a test that did not run as passed (`test.skip` shows it).
 */
export function checkTestAssertions(workspace) {
  return checkSpecs(workspace, checkModule);
}

function checkModule(module) {
  const asserting = assertingFunctions(module);
  const constants = constantsOf(module);
  const violations = [];
  visit(module, (node) => {
    if (node.type !== 'CallExpression') return;
    if (MATCHERS.has(nameOf(node.callee))) {
      for (const pattern of node.arguments.flatMap(({ expression }) => patternsIn(expression, constants))) {
        violations.push({
          node: pattern,
          message: `a RegExp in ${nameOf(node.callee)} asserts nothing: use expect.stringMatching`,
        });
      }
    }
    const { body, isSkipped } = testOf(node) ?? {};
    if (body === undefined || isSkipped) return;
    if (!asserts(body, asserting)) {
      violations.push({ node, message: 'a test without an assertion cannot fail' });
    }
    for (const early of returnsOf(body.body)) {
      violations.push({
        node: early,
        message: 'a return in a test passes it without testing: use test.skip for what cannot run',
      });
    }
  });
  return violations;
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

/** The values of the variables of a file, by name; of a name that is declared twice, both. */
function constantsOf(module) {
  const values = new Map();
  visit(module, (node) => {
    if (node.type !== 'VariableDeclarator' || !node.init || node.id.type !== 'Identifier') return;
    const { value: name } = node.id;
    values.set(name, [...(values.get(name) ?? []), node.init]);
  });
  return values;
}

/**
 * RegExps in literals of objects and arrays, and the names of constants that hold one; those that a call takes are for
 * the call.
 */
function patternsIn(node, constants) {
  const within = (inner) => patternsIn(inner, constants);
  switch (node?.type) {
    case 'RegExpLiteral':
      return [node];
    case 'NewExpression':
      return node.callee.value === 'RegExp' ? [node] : [];
    case 'Identifier':
    case 'MemberExpression':
      return valuesOf(node, constants).some(
        (value) => patternsIn(value, withoutName(node, constants)).length > 0,
      )
        ? [node]
        : [];
    case 'ArrayExpression':
      return node.elements.flatMap((element) => within(element?.expression));
    case 'ObjectExpression':
      return node.properties.flatMap((property) => within(memberValue(property)));
    case 'ConditionalExpression':
      return [node.consequent, node.alternate].flatMap(within);
    case 'ParenthesisExpression':
    case 'TsAsExpression':
    case 'TsConstAssertion':
    case 'TsSatisfiesExpression':
      return within(node.expression);
    default:
      return [];
  }
}

function memberValue(property) {
  if (property.type === 'SpreadElement') return property.arguments;
  return property.type === 'KeyValueProperty' ? property.value : property;
}

/** The values of a constant, or of a member of the object that it holds. */
function valuesOf(node, constants) {
  if (node.type === 'Identifier') return constants.get(node.value) ?? [];
  if (node.type !== 'MemberExpression') return [];
  return valuesOf(node.object, constants).flatMap((value) => {
    // `as const` and `satisfies`.
    const object = value.type.startsWith('Ts') ? value.expression : value;
    if (object?.type !== 'ObjectExpression') return [];
    return object.properties
      .filter(({ key }) => key?.value === node.property.value)
      .flatMap((property) => property.value ?? []);
  });
}

/** The constants without the one that a name begins with, whose value may name itself. */
function withoutName(node, constants) {
  const [name] = namesOf(node);
  return new Map([...constants].filter(([other]) => other !== name));
}

function nameOf(callee) {
  return namesOf(callee).at(-1);
}
