/** Comments, strings, quoted names and bodies of functions, which hold no statements of the script. */
const PARTS =
  /--[^\n]*|\/\*[\s\S]*?\*\/|\b[eE]'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$/g;

/** What PostgreSQL runs outside of transactions alone, or what ends the one that a script is; by how it begins. */
const OUTSIDE: readonly RegExp[] = [
  /^(?:BEGIN|START TRANSACTION|COMMIT|END|ROLLBACK(?! TO)|ABORT|PREPARE TRANSACTION|CALL)\b/,
  /^(?:CREATE|DROP|ALTER) (?:DATABASE|TABLESPACE|SUBSCRIPTION|SYSTEM)\b/,
  /^(?:CREATE (?:UNIQUE )?INDEX|DROP INDEX|REINDEX)\b.* CONCURRENTLY\b/,
  /^ALTER TABLE\b.* DETACH PARTITION\b.* CONCURRENTLY\b/,
  /^(?:VACUUM|CLUSTER|REINDEX (?:\([^)]*\) )?(?:DATABASE|SYSTEM|SCHEMA))\b/,
];

/**
 * The first statement of a migration that PostgreSQL would not undo with the rest when a later one fails; undefined
 * when there is none. What blocks of code (`DO`) do inside is not looked at.
 */
export function statementOutside(sql: string): string | undefined {
  return sql
    .replace(PARTS, ' _ ')
    .split(';')
    .map((statement) => statement.replaceAll(/\b_\b/g, ' ').replace(/\s+/g, ' ').trim().toUpperCase())
    .find((statement) => OUTSIDE.some((kind) => kind.test(statement)));
}
