import type { JsonObject } from '@agentclash/challengepack';
import type { Message } from '@agentclash/models';
import type { ModelConfig } from '../plan.js';
import type { TaskDocument } from './task-document.js';

const POLICY_ORDER = ['role', 'system_prompt', 'instructions', 'success_conditions'] as const;

/** The first messages of a model that works with tools. */
export function nativeOpening(
  config: Pick<ModelConfig, 'policy_spec' | 'output_schema'>,
  task: TaskDocument,
): Message[] {
  const { title, instructions, payload, inputs, files } = task;
  const user = [title, instructions, JSON.stringify({ payload, inputs, files }, null, 2)];
  return [
    { role: 'system', text: paragraphs([...policyTexts(config), toolNote(task), outputContract(config)]) },
    { role: 'user', text: paragraphs(user) },
  ];
}

/** The messages of a model that answers at once. Payload and inputs are added when the instruction named none of them. */
export function promptOpening(
  config: Pick<ModelConfig, 'policy_spec' | 'output_schema'>,
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

function policyTexts({ policy_spec = {} }: Pick<ModelConfig, 'policy_spec'>): string[] {
  return POLICY_ORDER.map((name) => policy_spec[name] ?? '');
}

function toolNote({ limits }: TaskDocument): string {
  return [
    'You work in an isolated sandbox through the tools you are given.',
    'A tool may fail; read its error and go on working.',
    'When you are done, call submit with your final answer.',
    `Limits: ${JSON.stringify(limits)}`,
  ].join('\n');
}

function outputContract({ output_schema = {} }: { output_schema?: JsonObject }): string {
  if (Object.keys(output_schema).length === 0) return '';
  return `Your final answer must be JSON that conforms to this JSON Schema, and nothing else:\n${JSON.stringify(output_schema)}`;
}

function paragraphs(texts: readonly string[]): string {
  return texts.filter((text) => text.trim() !== '').join('\n\n');
}
