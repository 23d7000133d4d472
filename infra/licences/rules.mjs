// Which licences the packages of others may have: `allowed` ones without further reasons, exceptions by package.

/** `@scope/name` of a component of a CycloneDX document. */
export function nameOf({ group, name }) {
  return group === undefined ? name : `${group}/${name}`;
}

/** The licence of a component as an SPDX expression; undefined where its package declares none. */
export function licenceOf({ licenses = [] }) {
  const all = licenses.map(({ expression, license }) => expression ?? license?.id ?? license?.name);
  return all.length === 0 ? undefined : all.join(' AND ');
}

/** True when an expression can be met with allowed licences alone: one side of OR, both of AND. */
export function isAllowed(expression, allowed) {
  const text = expression.trim().replace(/^\(([^()]*)\)$/, '$1');
  const [left, right] = split(text, 'OR') ?? [];
  if (left !== undefined) return isAllowed(left, allowed) || isAllowed(right, allowed);
  const [first, rest] = split(text, 'AND') ?? [];
  if (first !== undefined) return isAllowed(first, allowed) && isAllowed(rest, allowed);
  return allowed.includes(text);
}

/** The two sides of the first operator outside of parentheses. */
function split(text, operator) {
  let depth = 0;
  for (const { 0: found, index } of text.matchAll(new RegExp(`[()]|\\s${operator}\\s`, 'gi'))) {
    if (found === '(') depth++;
    else if (found === ')') depth--;
    else if (depth === 0) return [text.slice(0, index), text.slice(index + found.length)];
  }
  return undefined;
}

const PLATFORM =
  /[-/.](?:binding-)?(?:aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|wasm32|win32|resolver-binding)\b.*$/;

/**
 * One line for each violation. `installed` are the components that this machine has, with their licences; `all` those of
 * the lockfile. A package of another platform is covered by a package of its family that is installed.
 */
export function licenceViolations({ installed, all, rules }) {
  const exceptions = new Map(rules.exceptions.map((exception) => [exception.package, exception]));
  const used = new Set();
  const problems = installed.flatMap((component) => {
    const name = nameOf(component);
    const licence = licenceOf(component);
    if (licence !== undefined && isAllowed(licence, rules.allowed)) return [];
    const exception = exceptions.get(name);
    used.add(name);
    if (exception === undefined) {
      return [`${name}@${component.version}: ${licence ?? 'no licence in its manifest'} is not allowed`];
    }
    const declared = licence ?? 'none';
    if (exception.declared === declared) return [];
    return [
      `${name}@${component.version}: its exception is for ${exception.declared}, and it has ${declared}`,
    ];
  });
  const names = new Set(installed.map(nameOf));
  const families = new Set([...names].map((name) => name.replace(PLATFORM, '')));
  const foreign = [...new Set(all.map(nameOf))].filter((name) => !names.has(name));
  const unknown = foreign.filter((name) => !isCovered(name, families) && !rules.otherPlatforms[name]);
  const unused = rules.exceptions.filter((exception) => !used.has(exception.package));
  return [
    ...problems,
    ...unknown.map((name) => `${name}: it is not installed here, and no package of its family is`),
    ...unused.map((exception) => `${exception.package}: its exception is not needed any more`),
  ];
}

function isCovered(name, families) {
  return PLATFORM.test(name) && families.has(name.replace(PLATFORM, ''));
}
