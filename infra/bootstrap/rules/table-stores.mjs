import path from 'node:path';

/** Tables whose statements lie in one folder: one store reads, one writes, and the other files are parts of the two. */
const TABLES = [
  {
    table: 'attempts',
    model: 'attempt',
    app: 'apps/run-orchestrator',
    folder: 'apps/run-orchestrator/src/runs/store/attempts',
    reads: 'attempt-reads.store.ts',
    writes: 'attempt-writes.store.ts',
    partsOfWrites: ['delivery-writes.store.ts'],
    /** Conditions that statements on other tables contain. */
    conditions: 'attempt-conditions.store.ts',
  },
];

const IMPORT_OF_VALUES = /^import\s+(?!type\b)[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]/gm;

/** Statements on such a table are found in its folder only, those that write in the writing store and its parts. */
export function checkTableStores(workspace) {
  return TABLES.flatMap((rule) =>
    workspace
      .filter(({ folder }) => folder === rule.app)
      .flatMap(({ files }) => files.filter(({ isTest }) => !isTest))
      .flatMap((file) =>
        path.posix.dirname(file.path) === rule.folder ? inside(rule, file) : outside(rule, file),
      ),
  );
}

function outside(rule, file) {
  const where = `those are for ${rule.folder}`;
  const { table, model, folder, reads, writes, conditions } = rule;
  const sql = new RegExp(
    `\\b(?:FROM|JOIN|INTO|UPDATE|USING|TABLE)\\s+(?:\\w+\\.)?"?${table}\\b|\\.${model}\\.\\w+\\(`,
    'g',
  );
  return [
    ...found(file, sql).map((at) => ({ at, message: `a statement on the table ${table}: ${where}` })),
    ...found(file, IMPORT_OF_VALUES, ([, target]) => {
      const to = path.posix.join(path.posix.dirname(file.path), target.replace(/\.js$/, '.ts'));
      return (
        path.posix.dirname(to) === folder && ![reads, writes, conditions].includes(path.posix.basename(to))
      );
    }).map((at) => ({ at, message: `a part of a store of ${table}: import ${reads} or ${writes}` })),
  ];
}

function inside({ table, model, reads, writes, partsOfWrites }, file) {
  const name = path.posix.basename(file.path);
  const stores = name === reads || name === writes ? [] : found(file, /@Injectable\(\)/g);
  const writing = new RegExp(
    `\\b(?:UPDATE|INSERT\\s+INTO|DELETE\\s+FROM)\\s+"?${table}\\b|\\.${model}\\.(?:create|update|upsert|delete)\\w*\\(`,
    'g',
  );
  const statements = name === writes || partsOfWrites.includes(name) ? [] : found(file, writing);
  return [
    ...stores.map((at) => ({ at, message: `a third store of ${table}: ${reads} reads, ${writes} writes` })),
    ...statements.map((at) => ({ at, message: `a statement that writes ${table}: those are for ${writes}` })),
  ];
}

function found({ path: at, code }, pattern, isFound = () => true) {
  return [...code.matchAll(pattern)]
    .filter(isFound)
    .map(({ index }) => `${at}:${code.slice(0, index).split('\n').length}`);
}
