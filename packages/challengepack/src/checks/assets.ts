import { ARCHIVE_FORMATS, archiveFormat } from '../cases/archive-format.js';
import type { FieldPath } from '../decode/field-path.js';
import type { Draft } from '../decode/shape.js';
import { relativePathProblem } from '../decode/text-forms.js';
import type { Expectation, GraderFile, Input, Solution } from '../pack/model.js';
import { graderPath, scriptRuntime } from '../publish/grader-files.js';
import { trim } from '../text/white-space.js';
import { AssetScopes, type DeclaredAsset, type Resolution } from './asset-scopes.js';
import { Builds } from './builds.js';
import { type CaseCheck, eachEntry, type PackCheck, type PlacedCase } from './pack-check.js';

/** Every reference to an asset resolves, every asset is referred to, and its bytes exist. */
export function checkAssets(check: PackCheck): CaseCheck {
  const scopes = new AssetScopes(check);
  const references = new References(check, scopes);
  const { version } = check.pack;
  const builds = new Builds(check);
  builds.checkSandbox(version?.sandbox, check.paths.version.field('sandbox'), scopes.seenBy({}));
  references.ofVersion = references.graderFiles(version?.grader_files, check.paths.version, (name) =>
    scopes.resolveInVersion(name),
  );
  for (const [challenge, at] of eachEntry(check.pack.challenges, check.paths.challenges)) {
    const resolve = (name: string) => scopes.resolveInChallenge(name, challenge.key);
    for (const [{ key }, location] of eachEntry(challenge.artifact_refs, at.field('artifact_refs'))) {
      references.give(key, location.field('key'), resolve);
    }
    references.solution(challenge.solution, at, resolve);
    const seen = scopes.seenBy({ challenge: challenge.key });
    builds.checkSandbox(challenge.sandbox, at.field('sandbox'), seen);
    const files = references.graderFiles(challenge.grader_files, at, resolve);
    if (challenge.key !== undefined && !references.ofChallenge.has(challenge.key))
      references.ofChallenge.set(challenge.key, files);
  }
  const serversAt = check.paths.tools.field('mcp_servers');
  for (const [{ files }, at] of eachEntry(check.pack.tools?.mcp_servers, serversAt)) {
    for (const [{ artifact_key: key }, location] of eachEntry(files, at.field('files'))) {
      references.give(key, location.field('artifact_key'), (name) => scopes.resolveInVersion(name));
    }
  }
  checkScripts(check, references, scopes);
  return {
    add(cases) {
      for (const placed of cases) {
        references.ofCase(placed);
        const { case: each, at } = placed;
        builds.checkSandbox(each.sandbox, at.field('sandbox'), scopes.seenBy({ case: placed }));
      }
    },
    end() {
      const named = namesInEvaluationSpec(check);
      checkSolutions(check, [...scopes.declared()]);
      for (const declared of scopes.declared()) {
        checkBytes(check, declared);
        const { asset, at, isUsed } = declared;
        const isUnused = !isUsed && !check.hasUnreadCases && !named.has(asset.key ?? '');
        if (isUnused) check.report('unused_asset', at.field('key'));
      }
    },
  };
}

/** No agent gets a file of a solution, under whatever key. */
function checkSolutions(check: PackCheck, declared: readonly DeclaredAsset[]): void {
  const fileOf = ({ asset }: DeclaredAsset) => asset.artifact_id ?? asset.path;
  const given = new Map(declared.filter(({ isGiven }) => isGiven).map((each) => [fileOf(each), each]));
  for (const each of declared) {
    const found = each.solutionAt && given.get(fileOf(each));
    if (found === undefined || each.solutionAt === undefined) continue;
    const key = found.asset.key ?? '';
    const message = `agents get this file, too: the asset "${key}" is a file of a workspace, of a server or of an image's folder; give the solution a file of its own`;
    check.report('visible_solution', each.solutionAt, { message });
  }
}

/** Every script is an asset of the version, of which the interpreter is clear. */
function checkScripts(check: PackCheck, references: References, scopes: AssetScopes): void {
  const at = check.paths.evaluationSpec.field('validators');
  for (const [validator, validatorAt] of eachEntry(check.pack.version?.evaluation_spec?.validators, at)) {
    if (validator.type !== 'script') continue;
    const { artifact_key: key, runtime } = validator.config ?? {};
    const configAt = validatorAt.field('config');
    const runtimeAt = configAt.field('runtime');
    references.settle(key, configAt.field('artifact_key'), (name) => scopes.resolveInVersion(name));
    const found = key === undefined ? 'unclear' : scopes.resolveInVersion(key);
    if (typeof found !== 'object' || runtime !== undefined || check.problems.isFaulty(runtimeAt)) continue;
    if (found.asset.path === undefined || scriptRuntime({ path: found.asset.path }) !== undefined) continue;
    check.require(runtimeAt, `the ending of ${found.asset.path} names no interpreter: give runtime`);
  }
}

/** The paths of a list of grader files. */
class GraderPaths {
  readonly #files = new Map<string, FieldPath>();
  /** The folders on the way to a file. */
  readonly #folders = new Map<string, FieldPath>();

  has(target: string): boolean {
    return this.#files.has(target);
  }

  add(target: string, at: FieldPath): void {
    this.#files.set(target, at);
    for (const folder of foldersOf(target)) {
      if (!this.#folders.has(folder)) this.#folders.set(folder, at);
    }
  }

  /** The file that is at this path, below it, or at a folder on the way to it. */
  inTheWayOf(target: string): FieldPath | undefined {
    const same = this.#files.get(target) ?? this.#folders.get(target);
    if (same !== undefined) return same;
    const folder = foldersOf(target).find((each) => this.#files.has(each));
    return folder === undefined ? undefined : this.#files.get(folder);
  }
}

/** `/a` and `/a/b` of `/a/b/c`. */
function foldersOf(target: string): string[] {
  const segments = target.split('/').slice(1, -1);
  return segments.map((_, index) => `/${segments.slice(0, index + 1).join('/')}`);
}

class References {
  ofVersion = new GraderPaths();
  readonly ofChallenge = new Map<string, GraderPaths>();
  readonly #inTheWay = new Set<string>();

  constructor(
    readonly check: PackCheck,
    readonly scopes: AssetScopes,
  ) {}

  ofCase(placed: PlacedCase): void {
    const { case: each, at } = placed;
    const resolve = (name: string) => this.scopes.resolveInCase(name, placed);
    for (const [{ key }, location] of eachEntry(each.artifacts, at.field('artifacts'))) {
      this.give(key, location.field('key'), resolve);
    }
    for (const [input, location] of eachEntry(each.inputs, at.field('inputs'))) {
      this.give(input.artifact_key, location.field('artifact_key'), resolve);
      this.#member(input, location, placed);
    }
    this.solution(each.solution, at, resolve);
    const own = this.graderFiles(each.grader_files, at, resolve);
    this.#graderPaths(placed, own);
    this.#expectations(each.expectations, at.field('expectations'), placed);
    const simulator = at.field('user_simulator');
    for (const [phase, phaseAt] of eachEntry(each.user_simulator?.phases, simulator.field('phases'))) {
      if (phase.actor !== 'scripted') continue;
      for (const [turn, turnAt] of eachEntry(phase.turns, phaseAt.field('turns'))) {
        this.#expectations(turn.expects, turnAt.field('expects'), placed);
      }
    }
  }

  /** Each names an asset, and each a place of its own; `at` is the place of their holder. */
  graderFiles(
    files: readonly (Draft<GraderFile> | undefined)[] | undefined,
    at: FieldPath,
    resolve: (key: string) => Resolution,
  ): GraderPaths {
    const taken = new GraderPaths();
    for (const [{ artifact_key: key, path }, location] of eachEntry(files, at.field('grader_files'))) {
      this.settle(key, location.field('artifact_key'), resolve);
      const found = key === undefined || path !== undefined ? undefined : resolve(key);
      const placed = path ?? (typeof found === 'object' ? found.asset.path : undefined);
      if (placed === undefined) continue;
      const target = graderPath(placed);
      const pathAt = location.field(path === undefined ? 'artifact_key' : 'path');
      if (taken.has(target)) {
        const message = `two files of this list are placed at ${target}`;
        this.check.report('not_unique', pathAt, { message });
      }
      taken.add(target, pathAt);
    }
    return taken;
  }

  /** The verifier writes each expectation to a file of its key: no grader file has the same path, or one inside. */
  #graderPaths({ case: each, at }: PlacedCase, own: GraderPaths): void {
    const lists = [own, this.ofChallenge.get(each.challenge_key ?? ''), this.ofVersion];
    for (const [{ key = '' }] of eachEntry(each.expectations, at.field('expectations'))) {
      if (!isFileName(key)) continue;
      const target = graderPath(key);
      const found = lists.flatMap((list) => list?.inTheWayOf(target) ?? [])[0];
      if (found === undefined || this.#inTheWay.has(found.toString())) continue;
      this.#inTheWay.add(found.toString());
      const message = `the expectation "${key}" of the case "${each.case_key ?? ''}" is written to ${target}: this file cannot be there, above it or below it`;
      this.check.report('not_unique', found, { message });
    }
  }

  /** The files of a solution; `at` is the place of its holder. */
  solution(solution: Draft<Solution> | undefined, at: FieldPath, resolve: (key: string) => Resolution): void {
    for (const [{ asset }, location] of eachEntry(solution?.files, at.field('solution').field('files'))) {
      const assetAt = location.field('asset');
      const found = this.settle(asset, assetAt, resolve);
      if (found) found.solutionAt ??= assetAt;
    }
  }

  /** The same for a file that an agent gets. */
  give(key: string | undefined, at: FieldPath, resolve: (key: string) => Resolution): void {
    const found = this.settle(key, at, resolve);
    if (found) found.isGiven = true;
  }

  /** Marks what a reference finds as used, or reports that it finds nothing. */
  settle(
    key: string | undefined,
    at: FieldPath,
    resolve: (key: string) => Resolution,
  ): DeclaredAsset | undefined {
    if (key === undefined) return undefined;
    const found = resolve(key);
    if (found === 'unclear') return undefined;
    if (found === 'unknown') {
      this.check.report('unknown_reference', at, { message: `no asset "${key}"` });
      return undefined;
    }
    found.isUsed = true;
    return found;
  }

  /** `path` beside an asset names a member of it, which only an archive has. */
  #member({ artifact_key: key, path }: Draft<Input>, location: FieldPath, placed: PlacedCase): void {
    const at = location.field('path');
    if (key === undefined || path === undefined || this.check.problems.isFaulty(at)) return;
    const found = this.scopes.resolveInCase(key, placed);
    if (found === 'unknown' || found === 'unclear' || this.check.problems.isFaulty(found.at.field('path')))
      return;
    if (archiveFormat(found.asset) === undefined) {
      const message = `path names a member of an archive (${ARCHIVE_FORMATS.join(', ')}), and "${key}" is none by its path or media type`;
      this.check.report('contradiction', at, { message });
      return;
    }
    const problem = this.check.surroundings.memberProblem?.(found.asset, path);
    if (problem) this.check.report(problem.code, at, problem);
  }

  #named(key: string | undefined, at: FieldPath, placed: PlacedCase): void {
    this.settle(key, at, (name) => this.scopes.resolveInCase(name, placed));
  }

  #expectations(
    expectations: (Draft<Expectation> | undefined)[] | undefined,
    at: FieldPath,
    placed: PlacedCase,
  ): void {
    for (const [expectation, location] of eachEntry(expectations, at)) {
      this.#named(expectation.artifact_key, location.field('artifact_key'), placed);
      if (expectation.source !== undefined)
        this.#source(expectation.source, location.field('source'), placed);
    }
  }

  #source(source: string, at: FieldPath, placed: PlacedCase): void {
    const [, prefix, written] = /^(input|artifact):(.*)$/s.exec(source) ?? [];
    const key = trim(written ?? '');
    if (key === '') {
      this.check.report('malformed', at, { message: 'expected input:KEY or artifact:KEY' });
    } else if (prefix === 'artifact') {
      this.#named(key, at, placed);
    } else if (!hasInput(this.check, placed, key)) {
      this.check.report('unknown_reference', at, { message: `this case has no input "${key}"` });
    }
  }
}

/** Other keys are in expectations.json alone. */
function isFileName(key: string): boolean {
  return key !== '' && relativePathProblem(key) === undefined;
}

/** True as well where an unreadable input might be the one that is meant. */
function hasInput(check: PackCheck, { case: each, at }: PlacedCase, key: string): boolean {
  const inputs = at.field('inputs');
  if (check.hasHoles(each.inputs, inputs)) return true;
  for (const [input, location] of eachEntry(each.inputs, inputs)) {
    if (input.key === key || check.isUndecodable(location.field('key'))) return true;
  }
  return false;
}

function checkBytes(check: PackCheck, { asset, at, isUsed }: DeclaredAsset): void {
  const { artifactExists, fileExists } = check.surroundings;
  const [idAt, pathAt] = [at.field('artifact_id'), at.field('path')];
  if (asset.artifact_id !== undefined) {
    if (artifactExists?.(asset.artifact_id) === false && !check.problems.isFaulty(idAt)) {
      check.report('artifact_not_found', idAt, { message: 'the workspace has no such artifact' });
    }
  } else if ((isUsed || check.hasUnreadCases) && asset.path !== undefined && !check.isUndecodable(idAt)) {
    if (fileExists?.(asset.path) === false && !check.problems.isFaulty(pathAt)) {
      check.report('artifact_not_found', pathAt, { message: 'there is no such file beside the pack' });
    }
  }
}

/** Keys are at most 128 code points, which may take two units each; longer names match none. */
const NAME_UNITS_MAX = 256;
const PREFIX = 'artifact.';

/** Every KEY for which some text is `artifact.KEY` or begins `artifact.KEY.`. */
function namesInEvaluationSpec(check: PackCheck): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value === 'string') addNames(value, names);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
  };
  visit(check.pack.version?.evaluation_spec);
  return names;
}

function addNames(text: string, names: Set<string>): void {
  if (!text.startsWith(PREFIX)) return;
  const rest = text.slice(PREFIX.length, PREFIX.length + NAME_UNITS_MAX + 1);
  if (text.length - PREFIX.length <= NAME_UNITS_MAX) names.add(rest);
  for (let dot = rest.indexOf('.'); dot !== -1; dot = rest.indexOf('.', dot + 1))
    names.add(rest.slice(0, dot));
}
