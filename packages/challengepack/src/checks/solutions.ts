import type { FieldPath } from '../decode/field-path.js';
import type { Draft } from '../decode/shape.js';
import { suggestedReference } from '../evaluation-spec/checks/references.js';
import type { Reference } from '../evaluation-spec/references.js';
import type { Solution } from '../pack/model.js';
import { SOLUTION_TEXT_MAX } from '../publish/solution.js';
import { rowPaths } from '../row-templates/row-template.js';
import { caseReference, type SolutionPart, solutionParts } from '../templates/solution-template.js';
import { templatePaths } from '../templates/template.js';
import { CaseTexts, type CaseWithTexts, UNKNOWN_TEXT } from './case-texts.js';
import { type CaseCheck, eachEntry, type PackCheck, type PlacedCase } from './pack-check.js';

const CASES_NAMED_MAX = 5;

/** Every solution is one that can be played, and each case has what the texts of its solution name. */
export function checkSolutions(check: PackCheck): CaseCheck {
  const texts = new CaseTexts(check, { readsFiles: false });
  const shared = new Map<string | undefined, SolutionCheck>();
  const rows = new RowSolutions(check);
  for (const [{ key, solution }, at] of eachEntry(check.pack.challenges, check.paths.challenges)) {
    if (solution === undefined) continue;
    const found = new SolutionCheck(check, solution, at.field('solution'));
    found.checkRules();
    found.checkAnswerOfMany();
    if (!shared.has(key)) shared.set(key, found);
  }
  const ofDocument = (solution: Draft<Solution>, at: FieldPath) => {
    const own = new SolutionCheck(check, solution, at);
    own.checkRules();
    return own;
  };
  return {
    add(cases) {
      for (const placed of cases) {
        const { case: each, set, at } = placed;
        const own =
          each.solution &&
          (set.cases_from ? rows.of(placed) : ofDocument(each.solution, at.field('solution')));
        const solution = own ?? shared.get(each.challenge_key);
        if (!solution?.readsCases || isUnclear(check, placed)) continue;
        const [withTexts] = texts.of([placed]);
        if (withTexts) solution.add(withTexts);
        if (own && !set.cases_from) own.report();
      }
    },
    end() {
      for (const solution of shared.values()) solution.report();
      rows.report();
    },
  };
}

/** Solutions of rows, whose findings are those of the template that made them. */
class RowSolutions {
  readonly #findings = new Map<FieldPath, Findings>();

  constructor(private readonly check: PackCheck) {
    for (const [{ cases_from: from }, at] of eachEntry(check.pack.input_sets, check.paths.inputSets)) {
      const solutionAt = at.field('cases_from').field('solution');
      if (from?.solution) new SolutionCheck(check, from.solution, solutionAt).checkRules();
    }
  }

  of({ case: { solution = {} }, at }: PlacedCase): SolutionCheck {
    const templateAt = at.parent ?? at;
    const findings = this.#findings.get(templateAt) ?? new Findings(this.check);
    this.#findings.set(templateAt, findings);
    return new SolutionCheck(this.check, solution, templateAt.field('solution'), findings);
  }

  report(): void {
    for (const findings of this.#findings.values()) findings.report();
  }
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

interface Placeholder {
  written: string;
  reference: Reference | null;
}

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

/** Each once, with the first cases that have it. */
class Findings {
  readonly #found = new Map<string, Finding>();

  constructor(private readonly check: PackCheck) {}

  note(name: string, found: Pick<Finding, 'code' | 'at' | 'text'>): void {
    const id = `${found.code} ${found.at} ${found.text}`;
    const known = this.#found.get(id) ?? { ...found, cases: [], count: 0 };
    this.#found.set(id, known);
    known.count += 1;
    if (known.cases.length < CASES_NAMED_MAX) known.cases.push(name);
  }

  report(): void {
    for (const { code, at, text, cases, count } of this.#found.values()) {
      const more = count > cases.length ? ` and ${count - cases.length} more` : '';
      const message = `${MESSAGES[code](text)} in ${cases.join(', ')}${more}`;
      this.check.report(code, at, { message });
    }
  }
}

/** One solution, of a case or of all cases of a challenge. */
class SolutionCheck {
  readonly #templates: Template[] = [];
  readonly #findings: Findings;

  constructor(
    private readonly check: PackCheck,
    private readonly solution: Draft<Solution>,
    private readonly at: FieldPath,
    private readonly ofRows?: Findings,
  ) {
    this.#findings = ofRows ?? new Findings(check);
    const { files, answer, answer_from: from } = solution;
    for (const [{ content }, fileAt] of eachEntry(files, at.field('files'))) {
      if (content !== undefined) this.#addTemplate(content, fileAt.field('content'));
    }
    if (answer !== undefined) this.#addTemplate(answer, at.field('answer'));
    if (from !== undefined)
      this.#add({ written: from, reference: caseReference(from) }, at.field('answer_from'));
  }

  /** The rules that hold whatever the case has. */
  checkRules(): void {
    this.#checkAlternatives();
    this.#checkFiles();
    this.#checkSteps();
    this.#checkMode();
    for (const { parts, at } of this.#templates) {
      for (const part of parts) if ('written' in part) this.#checkReference(part, at);
    }
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
  add(each: CaseWithTexts): void {
    for (const template of this.#templates) {
      const lengths = template.parts.map((part) =>
        'text' in part ? part.text.length : this.#lengthOf(part, template, each),
      );
      if (lengths.reduce((sum, length) => sum + length, 0) <= SOLUTION_TEXT_MAX) continue;
      this.#findings.note(each.name, { code: 'too_long', at: template.at, text: '' });
    }
  }

  /** Of the text that a placeholder has in a case; 0 where it has a problem. */
  #lengthOf({ written, reference }: Placeholder, { parts, at }: Template, each: CaseWithTexts): number {
    // Those of the document are reported with the rules, by the reference itself.
    if (reference === null && !this.ofRows) return 0;
    const entryAt = reference && each.locationOf(reference);
    if (entryAt && this.check.isUndecodable(entryAt)) return 0;
    const text = reference ? each.textOf(reference) : undefined;
    if (text === undefined) {
      this.#findings.note(each.name, { code: 'unresolved_placeholder', at, text: written });
    } else if (text === UNKNOWN_TEXT && parts.length > 1) {
      this.#findings.note(each.name, { code: 'contradiction', at, text: written });
    }
    return text?.length ?? 0;
  }

  report(): void {
    this.#findings.report();
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
      this.#exactlyOne(file, ['asset', 'content'], at);
      const path = plainPath(file.path ?? '');
      if (file.path !== undefined && paths.has(path)) this.check.report('not_unique', at.field('path'));
      paths.add(path);
    }
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
    if (parts.some((part) => 'written' in part)) this.#templates.push({ parts, at });
  }

  #add(part: SolutionPart, at: FieldPath): void {
    this.#templates.push({ parts: [part], at });
  }

  #checkReference({ written, reference }: Placeholder, at: FieldPath): void {
    if (reference !== null || rowPaths(written).length > 0) return;
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
