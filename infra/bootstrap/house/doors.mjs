import { importsOf } from './workspace.mjs';

/** Outside things that only one kind of place may touch. `mayUse` judges a file's package and path. */
const DOORS = [
  {
    what: 'a NATS client',
    isIt: (target) => target.startsWith('@nats-io/') || target === 'nats',
    mayUse: (name) => name === 'bus',
    where: 'packages/bus only',
  },
  {
    what: 'the Prisma client',
    isIt: (target) => /^@prisma\/(?!schema-engine-wasm)|(?:^|\/)generated\//.test(target),
    mayUse: (name, path) => name === 'service-kit' || /\.store\.ts$|\/database\.ts$/.test(path),
    where: '*.store.ts and the database.ts that wires it only',
  },
];

/** Each thing behind a door is imported only where it may be. Tests may look behind every door. */
export function checkDoors(workspace) {
  return workspace.flatMap(({ name, files }) =>
    files
      .filter((file) => !file.isTest)
      .flatMap((file) =>
        importsOf(file).flatMap(({ target, line }) =>
          DOORS.filter((door) => door.isIt(target) && !door.mayUse(name, file.path)).map((door) => ({
            at: `${file.path}:${line}`,
            message: `${door.what} (${target}) is for ${door.where}`,
          })),
        ),
      ),
  );
}
