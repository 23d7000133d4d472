import { ImportError } from '../framework/import-error.js';
import { type Importer, type ImportRequest, PACK_FILE, type PackFiles } from '../framework/importer.js';
import { slugOfFile, titleOf } from '../writing/names.js';
import { packYaml, yamlText } from '../writing/pack-yaml.js';
import type { ConfigValue } from './config-value.js';
import { type PromptfooContext, readConfigFile, reportDropped, reportUnknownKeys } from './context.js';
import { PromptfooPack } from './promptfoo-pack.js';
import { readPrompts } from './prompts.js';
import { deploymentsOf, modelOf, type PackDeployments } from './providers.js';
import { readTests } from './tests.js';

const NAMES = ['promptfooconfig.yaml', 'promptfooconfig.yml', 'promptfooconfig.json'];
const DEPLOYMENTS_FILE = 'deployments.yaml';

const READ = [
  'description',
  'prompts',
  'providers',
  'targets',
  'tests',
  'scenarios',
  'defaultTest',
  'assertionTemplates',
];
const DROPPED = {
  $schema: 'it describes the configuration',
  env: 'an import reads no environment; keys are secrets of a workspace',
  outputPath: 'agentclash run export writes results',
  evaluateOptions: 'repetitions and concurrency are options of agentclash run start',
  commandLineOptions: 'options of a run belong to agentclash run start',
  nunjucksFilters: 'code of the configuration is not run',
  derivedMetrics: 'scores are not computed by code of the configuration',
  extensions: 'code of the configuration is not run',
  redteam: 'attacks are not generated; security packs have adversarial_prompts',
  sharing: 'results stay on the server of the workspace',
  tags: 'a run has labels: agentclash run start --label',
  metadata: 'a pack has no metadata',
  tracing: 'every attempt has its events',
  writeLatestResults: 'every run is stored',
};

/** Imports a configuration of promptfoo: each prompt is a challenge, each test with each prompt a case. */
export const importPromptfoo: Importer = async (request) => {
  const context = await contextOf(request);
  const { losses, file } = context;
  const root = await readConfigFile(context, file);
  reportUnknownKeys(context, root, new Set([...READ, ...Object.keys(DROPPED)]));
  reportDropped(context, root, DROPPED);
  if (!root.at('description').isAbsent()) losses.carried(file, 'description', 'pack.description');
  const prompts = await readPrompts(context, root.at('prompts'));
  for (const key of ['defaultTest', 'scenarios', 'assertionTemplates']) {
    if (!root.at(key).isAbsent()) losses.carried(file, key, 'applied to the tests that use it');
  }
  const tests = await readTests(context, root);
  const judge = judgeOf(
    request,
    root,
    tests.map(({ grader }) => grader),
  );
  const pack = new PromptfooPack(context, { prompts, judge });
  for (const test of tests) await pack.add(test);
  if (pack.caseCount === 0) throw root.at('tests').fail(noTest(pack.reasons));
  const slug = slugOf(context, root);
  const deployments = deploymentsOf(context, root);
  const recorded = pack.recordedOutputs();
  if (recorded !== undefined) {
    deployments.deployments.push(recorded);
    losses.carried(
      file,
      'tests[].providerOutput',
      'the scripted deployment recorded-outputs in deployments.yaml',
    );
  }
  return filesOf({ pack, slug, deployments, root, file });
};

const REASONS_MAX = 3;

function noTest(reasons: readonly string[]): string {
  const shown = reasons.slice(0, REASONS_MAX);
  if (reasons.length > REASONS_MAX) shown.push(`${reasons.length - REASONS_MAX} further reasons`);
  return ['no test can be imported', ...(shown.length > 0 ? [shown.join('; ')] : [])].join(': ');
}

async function contextOf({ source, losses, origins }: ImportRequest): Promise<PromptfooContext> {
  if (source.entry !== undefined) {
    if (/\.(?:ya?ml|json)$/i.test(source.entry)) return { source, losses, origins, file: source.entry };
    throw new ImportError({
      file: source.entry,
      message: 'a configuration in code is not run: store it as YAML',
    });
  }
  for (const file of NAMES)
    if ((await source.find(file)) !== undefined) return { source, losses, origins, file };
  throw new ImportError({ file: source.name, message: `the folder has none of ${NAMES.join(', ')}` });
}

/** The model that judges: the option, else the one that the configuration grades with. */
function judgeOf(
  { options, losses }: ImportRequest,
  root: ConfigValue,
  graders: readonly (string | undefined)[],
): string | undefined {
  if (options.judge !== undefined) return options.judge;
  const grader = graders.find((each) => each !== undefined);
  if (grader === undefined) return undefined;
  const model = modelOf(grader)?.model;
  const at = root.at('defaultTest').at('options').at('provider');
  if (model !== undefined) losses.carried(root.file, at.path, `the model ${model} judges`);
  else losses.dropped(root.file, at.path, `no model provider is known for ${grader}; --judge names a model`);
  return model;
}

/** Configurations have one name everywhere: then the folder, or the description, names the pack. */
function slugOf(context: PromptfooContext, root: ConfigValue): string {
  const { name } = context.source;
  const base = context.file.split('/').at(-1) ?? context.file;
  if (!NAMES.includes(base)) return slugOfFile(base);
  const description = root.at('description').optionalText();
  return name === base ? slugOfFile(description?.trim() || base) : slugOfFile(name);
}

interface Written {
  pack: PromptfooPack;
  slug: string;
  deployments: PackDeployments;
  root: ConfigValue;
  file: string;
}

function filesOf({ pack, slug, deployments, root, file }: Written): PackFiles {
  const description = root.at('description').optionalText();
  const name = titleOf(slug);
  const document = packYaml(
    {
      pack: { slug, name, family: 'imported', ...(description?.trim() && { description }) },
      version: {
        number: 1,
        execution_mode: 'prompt_eval',
        ...(pack.graders().length > 0 && { assets: pack.graders().map(({ key, path }) => ({ key, path })) }),
        evaluation_spec: { name: slug, version_number: 1, ...pack.evaluationSpec() },
      },
      challenges: pack.challenges(name),
      input_sets: [{ key: 'default', name: 'Default', cases: pack.cases() }],
    },
    [
      `Imported from ${file} of promptfoo; import-report.json names what was changed or dropped.`,
      'agentclash challenge-pack validate shows every problem with its line and column.',
    ],
  );
  const files: PackFiles = new Map([[PACK_FILE, document]]);
  for (const { path, source } of pack.graders()) files.set(path, source);
  const hasDeployments = deployments.deployments.length > 0;
  if (hasDeployments) files.set(DEPLOYMENTS_FILE, deploymentsText(deployments));
  files.set('README.md', readme({ slug, file, hasDeployments, caseCount: pack.caseCount }));
  return files;
}

function deploymentsText({ provider_accounts, model_aliases, deployments }: PackDeployments): string {
  const sections = Object.entries({ provider_accounts, model_aliases, deployments });
  return sections
    .filter(([, entries]) => entries.length > 0)
    .map(([key, entries]) => yamlText({ [key]: entries }))
    .join('\n');
}

function readme({
  slug,
  file,
  hasDeployments,
  caseCount,
}: {
  slug: string;
  file: string;
  hasDeployments: boolean;
  caseCount: number;
}): string {
  const deploy = hasDeployments
    ? `3. Store the keys that \`${DEPLOYMENTS_FILE}\` names (\`agentclash secret set NAME --host HOST\`), then
   \`agentclash apply -f ${DEPLOYMENTS_FILE}\`
`
    : '3. Create a deployment: the providers of the configuration have no counterpart (docs/agents.md)\n';
  return `# Imported from ${file}

${caseCount} cases: each test with each prompt. \`import-report.json\` has the fate of every key. An attempt passes when every
validator that applies to its case passes.

## Next steps

1. Read the report: a dropped assertion is not checked.
2. \`agentclash challenge-pack validate pack.yaml\`, then \`agentclash challenge-pack publish pack.yaml\`
${deploy}4. \`agentclash run start --pack ${slug} --follow\`
`;
}
