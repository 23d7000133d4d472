import { isJsonObject, type JsonObject, type JsonValue } from '@agentclash/challengepack';
import { ImportError } from '../framework/import-error.js';
import { readText } from '../framework/import-source.js';
import { type Importer, type ImportRequest, PACK_FILE } from '../framework/importer.js';
import { readTable } from '../tables/read-table.js';
import { inputSetWith, type RowCase } from '../writing/input-set.js';
import { DistinctKeys, slugOf, slugOfFile, titleOf } from '../writing/names.js';
import { packYaml } from '../writing/pack-yaml.js';
import { CHOICE_REQUEST, type ChosenGrader, chooseGrader } from './graders.js';
import { type InspectLog, logOfJson, parseJson, readEvalLog } from './read-log.js';
import { letterOf, readSample, SAMPLE_COLUMNS, type Sample, type SampleColumns } from './samples.js';
import { stagedFiles } from './staged-files.js';

const JUDGE = 'alias:judge';
const RUBRIC =
  'Does the submission have the same result as the reference? 1: it does, in whatever words. 0: it does not, or gives none.';
const RUBRIC_ALONE = 'Is the submission a correct and complete response to the task? 1: it is. 0: it is not.';

/** The samples of an Inspect data set, or of a log, as cases. */
export const importInspect: Importer = async (request) => {
  const { source, options, losses } = request;
  const file = source.entry;
  if (file === undefined)
    throw new ImportError({
      file: source.name,
      message: 'it is a folder; give the file of the data set or log',
    });
  const data = await readData(request, file);
  const columns = columnsOf(options);
  const samples = data.rows.map(({ row, location }, index) =>
    readSample(row, { columns, location, fallback: `sample-${index + 1}` }),
  );
  const chosen = chooseGrader(samples, { file, losses, given: options.grader, scorers: data.scorers });
  const hasRepeatedIds = new Set(samples.map(({ id }) => id)).size < samples.length;
  reportMembers(
    data.rows.map(({ row }) => row),
    { file, losses, columns, isLog: data.isLog, hasRepeatedIds },
  );
  const idKey = data.isLog ? `samples.${columns.id}` : columns.id;
  const hasFiles = samples.some(({ files }) => Object.keys(files).length > 0);
  const cases = await casesOf(samples, { request, file, chosen, hasFiles, idKey });
  const slug = slugOf(data.name);
  const { set, files } = inputSetWith('default', cases);
  const judge = options.judge ?? JUDGE;
  if (chosen.grader === 'judge')
    losses.warn(`the pack is graded by ${judge}: make the alias, or name a model with --judge`);
  const hasTargets = samples.every(({ targets }) => targets.length > 0);
  files.set(
    PACK_FILE,
    packYaml(
      {
        pack: { slug, name: titleOf(slug), family: 'inspect' },
        version: {
          number: 1,
          execution_mode: hasFiles ? 'native' : 'prompt_eval',
          evaluation_spec: { name: slug, version_number: 1, ...evaluationOf(chosen, { judge, hasTargets }) },
        },
        challenges: [
          {
            key: 'sample',
            title: titleOf(slug),
            category: 'imported',
            difficulty: 'medium',
            instructions: '{{prompt}}',
            ...solutionOf(chosen, samples),
          },
        ],
        input_sets: [set],
      },
      [`Imported from ${file} of Inspect.`],
    ),
  );
  return files;
};

interface Row {
  row: JsonObject;
  location: Sample['location'];
}

interface Data extends Pick<InspectLog, 'scorers'> {
  name: string;
  rows: Row[];
  isLog: boolean;
}

async function readData({ source, losses }: ImportRequest, file: string): Promise<Data> {
  const name = slugOfFile(file.split('/').at(-1) ?? file);
  if (file.endsWith('.eval')) return dataOfLog(await readEvalLog(source, file, losses));
  if (/\.(csv|jsonl|ndjson)$/.test(file)) {
    const { rows, locations } = await readTable(source, file, file.endsWith('.csv') ? 'csv' : 'jsonl');
    const located = rows.map((row, index) => ({ row, location: { file, ...locations[index] } }));
    return { name, rows: located, scorers: [], isLog: false };
  }
  const value = parseJson(await readText(source, file), file);
  const log = logOfJson(value, file, losses);
  if (log) return dataOfLog(log);
  if (!Array.isArray(value) || value.length === 0) {
    throw new ImportError({ file, message: 'the file is neither a list of samples nor a log of Inspect' });
  }
  const rows = value.map((row: JsonValue, index) => {
    if (!isJsonObject(row)) throw new ImportError({ file, row: index + 1, message: 'expected a sample' });
    return { row, location: { file, row: index + 1 } };
  });
  return { name, rows, scorers: [], isLog: false };
}

function dataOfLog({ task, scorers, samples }: InspectLog): Data {
  const rows = samples.map(({ row, file }, index) => ({ row, location: { file, row: index + 1 } }));
  return { name: task, scorers, rows, isLog: true };
}

function columnsOf(options: ImportRequest['options']): SampleColumns {
  const { input, target, choices, id } = options;
  return {
    input: input ?? SAMPLE_COLUMNS.input,
    target: target ?? SAMPLE_COLUMNS.target,
    choices: choices ?? SAMPLE_COLUMNS.choices,
    id: id ?? SAMPLE_COLUMNS.id,
  };
}

interface ReportContext {
  file: string;
  losses: ImportRequest['losses'];
  columns: SampleColumns;
  isLog: boolean;
  /** The cases of some samples have other keys than their ids. */
  hasRepeatedIds: boolean;
}

const LOST: Readonly<Record<string, string>> = {
  metadata: 'a pack shows nothing that its author has not named',
  sandbox: 'the sandbox is that of the pack: additional_packages, or a template',
  setup: 'nothing but the agent runs in its sandbox',
  attachments: 'read where the samples refer to them',
};

function reportMembers(
  rows: readonly JsonObject[],
  { file, losses, columns, isLog, hasRepeatedIds }: ReportContext,
): void {
  const locations = new Map([
    [columns.input, 'payload.prompt, the instruction'],
    [columns.target, 'expectations, which no agent sees'],
    [columns.choices, 'letters below the prompt'],
    [columns.id, 'case_key'],
    ['files', 'payload.workspace_files'],
  ]);
  const names = new Set(rows.flatMap((row) => Object.keys(row).filter((key) => !isEmpty(row[key]))));
  for (const name of names) {
    const location = locations.get(name);
    const key = isLog ? `samples.${name}` : name;
    if (name === columns.id && hasRepeatedIds) continue;
    if (location !== undefined) losses.carried(file, key, location);
    else if (Object.hasOwn(LOST, name)) losses.dropped(file, key, LOST[name] ?? '');
    else losses.dropped(file, key, isLog ? 'results are no part of a pack' : 'it is no member of a sample');
  }
}

function isEmpty(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

interface CaseContext {
  request: ImportRequest;
  file: string;
  chosen: ChosenGrader;
  hasFiles: boolean;
}

async function casesOf(
  samples: readonly Sample[],
  { request, file, chosen, hasFiles, idKey }: CaseContext & { idKey: string },
): Promise<RowCase[]> {
  const keys = new DistinctKeys();
  const ids = new Set<string>();
  const cases: RowCase[] = [];
  for (const sample of samples) {
    const key = keys.of(sample.id, 'sample');
    if (ids.has(sample.id)) {
      const reason = `the id ${JSON.stringify(sample.id)} is repeated: this sample is the case ${key}`;
      request.losses.changed(file, idKey, reason);
    }
    ids.add(sample.id);
    request.origins.set(key, sample.location);
    if (sample.input.difference !== undefined) request.losses.changed(file, 'input', sample.input.difference);
    const workspace_files = hasFiles ? await stagedFiles(sample, { request, file }) : [];
    cases.push({
      case_key: key,
      challenge_key: 'sample',
      payload: { prompt: promptOf(sample), ...(hasFiles && { workspace_files }) },
      expectations: {
        target: sample.targets.join('\nor\n'),
        ...(chosen.patternOf && { pattern: chosen.patternOf(sample) }),
      },
    });
  }
  return cases;
}

function promptOf({ input, choices }: Sample): string {
  if (choices.length === 0) return input.text;
  const lines = choices.map((choice, index) => `${letterOf(index)}) ${choice}`);
  return `${input.text}\n\n${lines.join('\n')}\n\n${CHOICE_REQUEST}`;
}

/** An output that passes in every case, where the targets are one: several are joined, and a choice may be a text. */
function solutionOf({ grader }: ChosenGrader, samples: readonly Sample[]) {
  const targets = samples.map((sample) => sample.targets);
  const target = 'case.expectations.target';
  const isOne = targets.every(({ length }) => length === 1);
  if (grader === 'includes' || grader === 'f1') return { solution: { answer_from: target } };
  if (grader === 'judge' || !isOne) return {};
  if (grader !== 'choice') return { solution: { answer_from: target } };
  const areLetters = targets.every(([text = '']) => /^\s*[A-Za-z]\s*$/.test(text));
  return areLetters ? { solution: { answer: `ANSWER: {{${target}}}` } } : {};
}

function evaluationOf(
  { grader }: ChosenGrader,
  { judge, hasTargets }: { judge: string; hasTargets: boolean },
) {
  if (grader === 'judge') {
    return {
      judge_mode: 'llm_judge',
      llm_judges: [
        {
          key: 'target',
          mode: hasTargets ? 'reference' : 'rubric',
          model: judge,
          rubric: hasTargets ? RUBRIC : RUBRIC_ALONE,
          ...(hasTargets && { reference_from: 'case.expectations.target' }),
          context_from: ['case.payload.prompt'],
          score_scale: { min: 0, max: 1 },
        },
      ],
      scorecard: {
        pass_threshold: 0.5,
        dimensions: [{ key: 'quality', source: 'llm_judge', judge_key: 'target' }],
      },
    };
  }
  const validator =
    grader === 'f1'
      ? { type: 'token_f1', expected_from: 'case.expectations.target' }
      : { type: 'regex_match', expected_from: 'case.expectations.pattern' };
  return {
    judge_mode: 'deterministic',
    validators: [{ key: 'target', target: 'final_output', ...validator }],
    scorecard: {
      pass_threshold: grader === 'f1' ? 0.5 : 1,
      dimensions: [{ key: 'correctness', source: 'validators' }],
    },
  };
}
