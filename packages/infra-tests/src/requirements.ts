import { spawnSync } from 'node:child_process';
import { describe, test } from '@jest/globals';

/**
 * Declares a suite, or one skipped test instead where this machine cannot run it. The reason goes to stderr too:
 * Jest does not print a file whose tests are all skipped.
 */
export function describeUnless(reason: string | undefined, title: string, suite: () => void): void {
  if (reason === undefined) {
    describe(title, suite);
  } else {
    process.stderr.write(`skipped: ${title}: ${reason}\n`);
    test.skip(`${title} (skipped: ${reason})`, () => {});
  }
}

/** A suite that renders manifests, which needs kubectl and no cluster. */
export function describeWithKubectl(title: string, suite: () => void): void {
  describeUnless(missingKubectl(), title, suite);
}

/** Why this machine cannot render manifests; undefined where it can. */
export function missingKubectl(): string | undefined {
  const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;
  return hasKubectl ? undefined : 'kubectl is not installed, see https://kubernetes.io/docs/tasks/tools';
}
