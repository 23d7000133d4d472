import type { ModelConfig, PlannedCase, PlannedChallenge } from '@agentclash/attempt-plan';
import { type JsonObject, renderTemplate, templateContext } from '@agentclash/challengepack';
import type { AgentTool, AttemptLimits, TaskDocument } from '@agentclash/domain';
import type { Message } from '@agentclash/models';

export interface TaskSources {
  challenge: PlannedChallenge;
  case: PlannedCase;
  /** Staged files; planted ones are never named. */
  files: readonly { path: string; bytes: number; planted?: boolean }[];
  tools: readonly AgentTool[];
  limits: Partial<AttemptLimits>;
  output_schema?: JsonObject;
}

/** Builds the task of an explicit list of members; no other part of a plan can enter it. */
export function buildTask(sources: TaskSources): TaskDocument {
  const { challenge, files, tools, limits, output_schema } = sources;
  const { payload, inputs } = sources.case;
  return {
    schema: 'agentclash.task/1',
    title: challenge.title,
    instructions: fillFromCase(challenge.instructions ?? '', sources.case),
    payload,
    inputs: inputs.map(({ key, kind, value, path, file }) => ({
      key,
      kind,
      ...(value !== undefined && value !== null && { value }),
      ...(path !== undefined && { path }),
      ...(file !== undefined && { file }),
    })),
    files: files
      .filter((file) => !file.planted)
      .map(({ path, bytes }) => ({ path, bytes }))
      .sort((a, b) => (a.path < b.path ? -1 : 1)),
    tools: tools.map(({ name, description, parameters }) => ({
      name,
      ...(description !== undefined && { description }),
      parameters,
    })),
    limits: Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== null)),
    ...(output_schema && Object.keys(output_schema).length > 0 && { output_schema }),
  };
}

/** Fills `{{…}}` from the payload overlaid by the inputs; unknown tokens stay as they are written. */
export function fillFromCase(text: string, { payload, inputs }: PlannedCase): string {
  return renderTemplate(text, templateContext(payload, inputs), 'lenient');
}

const POLICY_ORDER = ['role', 'system_prompt', 'instructions', 'success_conditions'] as const;

const NONE_IF_0: readonly string[] = [
  'max_tool_calls',
  'max_policy_denials',
] satisfies (keyof AttemptLimits)[];

type PromptConfig = Pick<ModelConfig, 'policy_spec' | 'output_schema'>;

const SUBMIT_ENDS = 'When you are done, call submit with your final answer.';
const MESSAGE_IS_FINAL = 'Your first message without a tool call is your final answer; submit gives one too.';
const MESSAGE_ENDS_TURN = [
  'You talk with a user, whose messages follow the task.',
  'A message without a tool call ends your turn, and so does submit, whose answer is your message.',
].join('\n');

/** The first messages of a model that works alone with its tools. */
export function nativeOpening(config: PromptConfig, task: TaskDocument): Message[] {
  return toolOpening(config, task, SUBMIT_ENDS);
}

/** The first messages of a model in a conversation. */
export function conversationOpening(config: PromptConfig, task: TaskDocument): Message[] {
  return toolOpening(config, task, MESSAGE_ENDS_TURN);
}

/** The task as one text, for a program that takes a prompt. */
export function programPrompt({ title, instructions, payload, inputs, files }: TaskDocument): string {
  return paragraphs([title, instructions, JSON.stringify({ payload, inputs, files }, null, 2)]);
}

function toolOpening(config: PromptConfig, task: TaskDocument, ending: string): Message[] {
  const system = [...policyTexts(config), toolNote(task, ending), outputContract(config)];
  return [
    { role: 'system', text: paragraphs(system) },
    { role: 'user', text: programPrompt(task) },
  ];
}

/** The messages of a model without tools. Payload and inputs are added when the instruction named none of them. */
export function promptOpening(
  config: PromptConfig,
  task: TaskDocument,
  wereInstructionsFilled: boolean,
): Message[] {
  const { instructions, payload, inputs } = task;
  const data = wereInstructionsFilled ? '' : JSON.stringify({ payload, inputs }, null, 2);
  const system = paragraphs([...policyTexts(config), outputContract(config)]);
  return [
    ...(system === '' ? [] : [{ role: 'system', text: system } as const]),
    { role: 'user', text: paragraphs([instructions, data]) },
  ];
}

/** The messages of mode `responses`: the prompt of a model without tools, with the note on built-in tools. */
export function responsesOpening(
  config: PromptConfig,
  task: TaskDocument,
  wereInstructionsFilled: boolean,
): Message[] {
  const { instructions, payload, inputs, files } = task;
  const data = { ...(!wereInstructionsFilled && { payload, inputs }), ...(files.length > 0 && { files }) };
  const user = [instructions, Object.keys(data).length === 0 ? '' : JSON.stringify(data, null, 2)];
  const system = [...policyTexts(config), toolNote(task, MESSAGE_IS_FINAL), outputContract(config)];
  return [
    { role: 'system', text: paragraphs(system) },
    { role: 'user', text: paragraphs(user) },
  ];
}

function policyTexts({ policy_spec = {} }: PromptConfig): string[] {
  return POLICY_ORDER.map((name) => policy_spec[name] ?? '');
}

function toolNote({ limits }: TaskDocument, ending: string): string {
  return [
    'You work in an isolated sandbox through the tools you are given.',
    'A tool may fail; read its error and continue.',
    ending,
    `Limits: ${JSON.stringify(effectiveLimits(limits))}`,
  ].join('\n');
}

/** The limits without those of which 0 means that there is none: a model would take it for a prohibition. */
function effectiveLimits(limits: TaskDocument['limits']): TaskDocument['limits'] {
  const isNone = (name: string, limit: unknown) => limit === 0 && NONE_IF_0.includes(name);
  return Object.fromEntries(Object.entries(limits).filter(([name, limit]) => !isNone(name, limit)));
}

function outputContract({ output_schema = {} }: PromptConfig): string {
  if (Object.keys(output_schema).length === 0) return '';
  return `Your final answer must be JSON that conforms to this JSON Schema, and nothing else:\n${JSON.stringify(output_schema)}`;
}

function paragraphs(texts: readonly string[]): string {
  return texts.filter((text) => text.trim() !== '').join('\n\n');
}
