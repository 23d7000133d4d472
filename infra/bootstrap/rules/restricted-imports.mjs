import { importsOf } from './workspace.mjs';

/** Modules that only some files may import. `isAllowed` decides by a file's package and path. */
const RESTRICTED = [
  {
    what: 'a NATS client',
    matches: (target) => target.startsWith('@nats-io/') || target === 'nats',
    isAllowed: (name) => name === 'bus',
    where: 'packages/bus only',
  },
  {
    what: 'the Prisma client',
    matches: (target) =>
      /^@prisma\/(?!schema-engine-wasm)|(?:^|\/)generated\/(?:client|enums|models)\b/.test(target),
    isAllowed: (name, path) => name === 'service-kit' || /\.store\.ts$|\/database\.ts$/.test(path),
    where: '*.store.ts and the database.ts that wires it only',
  },
];

/** Restricted modules are imported only by the files that may; tests may import all of them. */
export function checkRestrictedImports(workspace) {
  return workspace.flatMap(({ name, files }) =>
    files.filter((file) => !file.isTest).flatMap((file) => checkImportsOf(name, file)),
  );
}

function checkImportsOf(name, file) {
  return importsOf(file).flatMap(({ target, line }) =>
    RESTRICTED.filter(({ matches, isAllowed }) => matches(target) && !isAllowed(name, file.path)).map(
      ({ what, where }) => ({ at: `${file.path}:${line}`, message: `${what} (${target}) is for ${where}` }),
    ),
  );
}
