import type { FieldPath } from '../decode/field-path.js';
import type { Draft } from '../decode/shape.js';
import type { Reference } from '../evaluation-spec/references.js';
import type { GraderFile } from '../pack/model.js';
import { GRADER_DIRECTORY, graderPath } from '../publish/grader-files.js';
import { AssetScopes, type Resolution } from './asset-scopes.js';
import { areCasesFaulty, CaseTexts } from './case-texts.js';
import { referenceToCase } from './comparisons.js';
import { type CaseCheck, eachEntry, type PackCheck, type PlacedCase } from './pack-check.js';

const CASES_NAMED_MAX = 5;

interface HarnessTests {
  at: FieldPath;
  path: string;
  condition: Reference | undefined;
  /** The first cases without tests. */
  missing: string[];
  missingCount: number;
}

/** Every case that a harness grades has its tests, as a file of the grader or as an expectation. */
export function checkHarnessTests(check: PackCheck): CaseCheck | undefined {
  const harnesses = harnessesOf(check);
  if (harnesses.length === 0) return undefined;
  const files = new GraderPaths(check);
  const texts = new CaseTexts(check, { readsFiles: false });
  let count = 0;
  return {
    add(cases) {
      const withTexts = texts.of(cases);
      for (const [index, placed] of cases.entries()) {
        count += 1;
        const paths = files.of(placed);
        for (const harness of harnesses) {
          const { condition, path, missing } = harness;
          const isJudged = condition === undefined || withTexts[index]?.textOf(condition) !== undefined;
          if (!isJudged || paths === 'unclear' || hasTests(paths, path)) continue;
          harness.missingCount += 1;
          if (missing.length < CASES_NAMED_MAX) missing.push(withTexts[index]?.name ?? '?');
        }
      }
    },
    end() {
      if (areCasesFaulty(check)) return;
      for (const { at, path, missing, missingCount } of harnesses) {
        if (missingCount === 0) continue;
        const more = missingCount > missing.length ? ` and ${missingCount - missing.length} more` : '';
        const message = `${missingCount} of ${count} cases have no tests at ${path} (${missing.join(', ')}${more}): give them as grader_files, or as an expectation with the key ${keyOf(path)}`;
        check.report('missing_expectation', at, { message });
      }
    },
  };
}

function keyOf(path: string): string {
  return path.startsWith(`${GRADER_DIRECTORY}/`) ? path.slice(GRADER_DIRECTORY.length + 1) : path;
}

function hasTests(paths: readonly string[], tests: string): boolean {
  return tests === GRADER_DIRECTORY || paths.some((path) => path === tests || path.startsWith(`${tests}/`));
}

function harnessesOf(check: PackCheck): HarnessTests[] {
  const at = check.paths.evaluationSpec.field('validators');
  const found: HarnessTests[] = [];
  for (const [{ type, config, when }, location] of eachEntry(
    check.pack.version?.evaluation_spec?.validators,
    at,
  )) {
    if (type !== 'code_execution') continue;
    const tests = (config as { harness?: { tests?: unknown } } | undefined)?.harness?.tests;
    if (typeof tests !== 'string') continue;
    const condition = referenceToCase(check, when, location.field('when'));
    const testsAt = location.field('config').field('harness').field('tests');
    found.push({ at: testsAt, path: graderPath(tests), condition, missing: [], missingCount: 0 });
  }
  return found;
}

type Paths = readonly string[] | 'unclear';

/** The paths of all that the grader of a case has. */
class GraderPaths {
  readonly #scopes: AssetScopes;
  readonly #ofVersion: Paths;
  readonly #ofChallenge = new Map<string, Paths>();

  constructor(check: PackCheck) {
    const scopes = new AssetScopes(check);
    this.#scopes = scopes;
    this.#ofVersion = pathsOf(check.pack.version?.grader_files, (key) => scopes.resolveInVersion(key));
    for (const [{ key, grader_files: files }] of eachEntry(check.pack.challenges, check.paths.challenges)) {
      if (key === undefined || this.#ofChallenge.has(key)) continue;
      this.#ofChallenge.set(
        key,
        pathsOf(files, (name) => scopes.resolveInChallenge(name, key)),
      );
    }
  }

  of(placed: PlacedCase): Paths {
    const { case: each } = placed;
    const own = pathsOf(each.grader_files, (key) => this.#scopes.resolveInCase(key, placed));
    const parts = [this.#ofVersion, this.#ofChallenge.get(each.challenge_key ?? '') ?? [], own];
    const expectations = (each.expectations ?? []).flatMap((entry) =>
      entry?.key === undefined ? [] : [graderPath(entry.key)],
    );
    return parts.includes('unclear') ? 'unclear' : [...parts.flat(), ...expectations];
  }
}

function pathsOf(
  files: readonly (Draft<GraderFile> | undefined)[] | undefined,
  resolve: (key: string) => Resolution,
): Paths {
  const paths: string[] = [];
  for (const file of files ?? []) {
    const asset = file?.artifact_key === undefined ? 'unclear' : resolve(file.artifact_key);
    const path = file?.path ?? (typeof asset === 'string' ? undefined : asset.asset.path);
    if (path === undefined) return 'unclear';
    paths.push(graderPath(path));
  }
  return paths;
}
