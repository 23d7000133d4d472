import path from 'node:path';
import { IN_TESTS, LAZILY, MAY_DEPEND_ON } from './dependency-table.mjs';
import { importsOf, SCOPE } from './workspace.mjs';

const TABLE = 'infra/bootstrap/rules/dependency-table.mjs';

/** Packages depend on each other only as the table allows, in their manifests and in their imports. */
export function checkDependencies(workspace) {
  return workspace.flatMap((unit) => {
    if (!MAY_DEPEND_ON[unit.name]) {
      return [
        {
          at: `${unit.folder}/package.json`,
          message: `${unit.name} is not in the dependency table (${TABLE})`,
        },
      ];
    }
    return [...checkManifest(unit), ...unit.files.flatMap((file) => checkImports(unit, file))];
  });
}

function checkManifest({ folder, name, manifest }) {
  const { dependencies, devDependencies, optionalDependencies, peerDependencies } = manifest;
  const atRunTime = ownPackages({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  const allowed = [...MAY_DEPEND_ON[name], ...(LAZILY[name] ?? [])];
  const violation = (target) => ({
    at: `${folder}/package.json`,
    message: `${name} must not depend on ${target}`,
  });
  return [
    ...atRunTime.filter((target) => !allowed.includes(target)).map(violation),
    ...ownPackages(devDependencies)
      .filter((target) => ![...allowed, ...IN_TESTS].includes(target))
      .map(violation),
  ];
}

function ownPackages(dependencies = {}) {
  return Object.keys(dependencies)
    .filter((dependency) => dependency.startsWith(SCOPE))
    .map((dependency) => dependency.slice(SCOPE.length));
}

function checkImports(unit, file) {
  return importsOf(file).flatMap((found) => {
    const message = importProblem(unit, file, found);
    return message ? [{ at: `${file.path}:${found.line}`, message }] : [];
  });
}

function importProblem({ folder, name }, file, { target, isLazy }) {
  if (target.startsWith('.')) {
    const reached = path.posix.join(path.posix.dirname(file.path), target);
    return reached.startsWith(`${folder}/`)
      ? undefined
      : `a relative import must not leave ${folder}: ${target}`;
  }
  if (!target.startsWith(SCOPE)) return undefined;
  const other = target.slice(SCOPE.length).split('/')[0];
  const allowed = [name, ...MAY_DEPEND_ON[name], ...(file.isTest ? IN_TESTS : [])];
  if (allowed.includes(other)) return undefined;
  if (!LAZILY[name]?.includes(other)) return `${name} must not import ${other}`;
  return isLazy ? undefined : `${name} must load ${other} lazily, by import() where it is used`;
}
