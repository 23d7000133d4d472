import type { PackCheck } from './pack-check.js';

/** Unless the block is empty it has lineups, and among them `default`. */
export function checkDeploymentDefaults(check: PackCheck): void {
  const at = check.paths.version.field('deployment_defaults');
  const lineups = at.field('lineups');
  const hasContent = [at.field('aliases'), lineups].some(
    (field) => check.isWritten(field) && !check.isEmptyMap(field),
  );
  if (!hasContent) return;
  const read = check.pack.version?.deployment_defaults?.lineups;
  if (!read) check.require(lineups);
  const standard = lineups.key('default');
  if (read && !Object.hasOwn(read, 'default') && !check.problems.isFaulty(standard)) {
    check.require(standard, 'a lineup "default" is needed');
  }
}
