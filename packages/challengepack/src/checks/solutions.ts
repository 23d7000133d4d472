import type { FieldPath } from '../decode/field-path.js';
import type { Draft } from '../decode/shape.js';
import { suggestedReference } from '../evaluation-spec/checks/references.js';
import type { Reference } from '../evaluation-spec/references.js';
import type { Solution, SolutionFile } from '../pack/model.js';
import { SOLUTION_TEXT_MAX } from '../publish/solution.js';
import { caseReference, type SolutionPart, solutionParts } from '../templates/solution-template.js';
import { templatePaths } from '../templates/template.js';
import { CaseTexts, type CaseWithTexts, UNKNOWN_TEXT } from './case-texts.js';
import { type CaseCheck, eachEntry, type PackCheck, type PlacedCase } from './pack-check.js';

const CASES_NAMED_MAX = 5;

/** Every solution is one that can be played, and each case has what the texts of its solution name. */
export function checkSolutions(check: PackCheck): CaseCheck {
  const texts = new CaseTexts(check, { readsFiles: false });
  const shared = new Map<string | undefined, SolutionCheck>();
  for (const [{ key, solution }, at] of eachEntry(check.pack.challenges, check.paths.challenges)) {
    if (solution === undefined) continue;
    const found = new SolutionCheck(check, solution, at.field('solution'));
    found.checkAnswerOfMany();
    if (!shared.has(key)) shared.set(key, found);
  }
  const solutionOf = ({ case: { solution, challenge_key: key }, at }: PlacedCase) =>
    solution ? new SolutionCheck(check, solution, at.field('solution')) : shared.get(key);
  return {
    add(cases) {
      for (const placed of cases) {
        const solution = solutionOf(placed);
        if (!solution?.readsCases || isUnclear(check, placed)) continue;
        const [each] = texts.of([placed]);
        if (each) solution.add(each);
        if (placed.case.solution) solution.report();
      }
    },
    end() {
      for (const solution of shared.values()) solution.report();
    },
  };
}

/** True where a part could not be read that the solution may name. */
function isUnclear(check: PackCheck, { case: each, at }: PlacedCase): boolean {
  if (check.isUndecodable(at.field('payload'))) return true;
  return (['inputs', 'expectations', 'assets'] as const).some((name) =>
    check.hasHoles(each[name], at.field(name)),
  );
}

const BESIDE_STEPS = ['files', 'run', 'timeout_seconds', 'environment', 'answer', 'answer_from'] as const;
const ALTERNATIVES = ['files', 'run', 'steps', 'answer', 'answer_from'] as const;

interface Template {
  parts: readonly SolutionPart[];
  at: FieldPath;
}

interface Finding {
  code: 'unresolved_placeholder' | 'contradiction' | 'too_long';
  at: FieldPath;
  text: string;
  cases: string[];
  count: number;
}

/** One solution, of a case or of all cases of a challenge. */
class SolutionCheck {
  readonly #templates: Template[] = [];
  readonly #findings = new Map<string, Finding>();

  constructor(
    private readonly check: PackCheck,
    private readonly solution: Draft<Solution>,
    private readonly at: FieldPath,
  ) {
    this.#checkAlternatives();
    this.#checkFiles();
    this.#checkSteps();
    this.#checkMode();
    const { answer, answer_from: from } = solution;
    if (answer !== undefined) this.#addTemplate(answer, at.field('answer'));
    if (from !== undefined) this.#addReference(from, at.field('answer_from'));
  }

  /** False where its texts are the same for every case. */
  get readsCases(): boolean {
    return this.#templates.length > 0;
  }

  /** An answer for many cases that holds a placeholder of another template is most likely meant to be filled. */
  checkAnswerOfMany(): void {
    for (const name of templatePaths(this.solution.answer ?? '')) {
      if (/^(?:case|artifact)\./.test(name)) continue;
      const suggestion = `{{case.payload.${name}}}`;
      const message = `nothing fills {{${name}}}; did you mean ${suggestion}?`;
      this.check.report('unknown_placeholder', this.at.field('answer'), { message, suggestion });
    }
  }

  /** The texts of one case. */
  add({ name, textOf, locationOf }: CaseWithTexts): void {
    for (const { parts, at } of this.#templates) {
      let length = 0;
      for (const part of parts) {
        if ('text' in part) length += part.text.length;
        if ('text' in part || part.reference === null) continue;
        const entryAt = locationOf(part.reference);
        if (entryAt && this.check.isUndecodable(entryAt)) continue;
        const text = textOf(part.reference);
        if (text === undefined) this.#note(name, { code: 'unresolved_placeholder', at, text: part.written });
        else if (text !== UNKNOWN_TEXT) length += text.length;
        else if (parts.length > 1) this.#note(name, { code: 'contradiction', at, text: part.written });
      }
      if (length > SOLUTION_TEXT_MAX) this.#note(name, { code: 'too_long', at, text: '' });
    }
  }

  report(): void {
    for (const { code, at, text, cases, count } of this.#findings.values()) {
      const more = count > cases.length ? ` and ${count - cases.length} more` : '';
      const message = `${MESSAGES[code](text)} in ${cases.join(', ')}${more}`;
      this.check.report(code, at, { message });
    }
  }

  #note(name: string, found: Pick<Finding, 'code' | 'at' | 'text'>): void {
    const id = `${found.code} ${found.at} ${found.text}`;
    const known = this.#findings.get(id) ?? { ...found, cases: [], count: 0 };
    this.#findings.set(id, known);
    known.count += 1;
    if (known.cases.length < CASES_NAMED_MAX) known.cases.push(name);
  }

  #checkAlternatives(): void {
    const { check, solution, at } = this;
    // An empty list of files is left out of the manifest.
    const isPresent = (name: keyof Solution) =>
      name === 'files' ? solution.files?.length : solution[name] !== undefined;
    const has = (name: keyof Solution) => isPresent(name) || check.isUndecodable(at.field(name));
    if (!ALTERNATIVES.some(has)) check.require(at, 'a solution has files, run, steps or an answer');
    if (has('steps')) {
      for (const name of BESIDE_STEPS.filter(has)) {
        const message = 'steps are the whole solution: leave this out, or the steps';
        check.report('contradiction', at.field(name), { message });
      }
    } else if (!has('run')) {
      for (const name of (['timeout_seconds', 'environment'] as const).filter(has)) {
        check.report('value_ignored', at.field(name), { message: 'this has no effect without run' });
      }
    }
    if (has('answer') && has('answer_from')) {
      check.report('exactly_one_of', at.field('answer_from'), { message: 'there is an answer as well' });
    }
  }

  #checkFiles(): void {
    const paths = new Set<string>();
    for (const [file, at] of eachEntry(this.solution.files, this.at.field('files'))) {
      this.#checkFile(file, at);
      const path = plainPath(file.path ?? '');
      if (file.path !== undefined && paths.has(path)) this.check.report('not_unique', at.field('path'));
      paths.add(path);
    }
  }

  #checkFile(file: Draft<SolutionFile>, at: FieldPath): void {
    this.#exactlyOne(file, ['asset', 'content'], at);
    if (file.content !== undefined) this.#addTemplate(file.content, at.field('content'));
  }

  #checkSteps(): void {
    for (const [step, at] of eachEntry<object>(this.solution.steps, this.at.field('steps'))) {
      this.#exactlyOne(step, ['call', 'message', 'answer'], at);
    }
  }

  #exactlyOne(holder: object, names: readonly string[], at: FieldPath): void {
    const written = names.filter(
      (name) => Reflect.get(holder, name) !== undefined || this.check.isUndecodable(at.field(name)),
    );
    if (written.length === 1) return;
    this.check.report('exactly_one_of', at, { message: `exactly one of ${names.join(', ')} is needed` });
  }

  #checkMode(): void {
    if (this.check.mode !== 'prompt_eval') return;
    for (const name of ['files', 'run'] as const) {
      if (this.solution[name] === undefined) continue;
      const message = 'mode prompt_eval has no workspace: give an answer';
      this.check.report('mode_conflict', this.at.field(name), { message });
    }
  }

  #addTemplate(template: string, at: FieldPath): void {
    const parts = solutionParts(template);
    if (parts.every((part) => 'text' in part)) return;
    this.#templates.push({ parts, at });
    for (const part of parts) if ('written' in part) this.#checkReference(part, at);
  }

  #addReference(written: string, at: FieldPath): void {
    const part = { written, reference: caseReference(written) };
    this.#templates.push({ parts: [part], at });
    this.#checkReference(part, at);
  }

  #checkReference({ written, reference }: { written: string; reference: Reference | null }, at: FieldPath) {
    if (reference !== null) return;
    const suggestion = suggestedReference(written);
    const message = `${written} names no part of a case: write case.payload.PATH, case.inputs.KEY, case.expectations.KEY or artifact.KEY`;
    this.check.report('malformed', at, { message, ...(suggestion && { suggestion }) });
  }
}

const MESSAGES: Record<Finding['code'], (written: string) => string> = {
  unresolved_placeholder: (written) => `${written} has no value`,
  contradiction: (written) => `${written} is a file, which can be the whole text and no part of one,`,
  too_long: () => `the text has more than ${SOLUTION_TEXT_MAX} characters`,
};

/** Two spellings of one place below the working directory are one. */
function plainPath(path: string): string {
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  return `${path.startsWith('/') ? '/' : ''}${segments.join('/')}`;
}
