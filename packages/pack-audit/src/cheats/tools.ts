import type { ScriptStep } from '@agentclash/attempt-plan';
import { agentView, isJsonObject, type JsonObject, type JsonValue } from '@agentclash/challengepack';
import type { AuditAgent } from '../agents/agent.js';
import { replyAgent } from '../agents/agent.js';
import { type CheatTarget, cheatFamily } from './cheat.js';
import { programAgent } from './program.js';
import { taskText } from './task.js';

interface OfferedTool {
  name: string;
  parameters: JsonObject;
}

function toolsOf({ pack, case: { case: each } }: CheatTarget): OfferedTool[] {
  return agentView(pack.manifest, each).tools.map(({ name, parameters }) => ({
    name,
    parameters: isJsonObject(parameters) ? parameters : {},
  }));
}

/** Texts of the task that an argument could be: identifiers, numbers, addresses. */
function taskValues(target: CheatTarget): string[] {
  return [...new Set(taskText(target).match(/[\w.+-]+@[\w.-]+|\b[A-Z]{1,5}-?\d{2,}\b|\b\d+\b/g) ?? [])];
}

/** A value that a JSON Schema allows, of the shape that its examples have. */
function exampleOf(schema: JsonValue | undefined, values: readonly string[], depth = 0): JsonValue {
  if (!isJsonObject(schema) || depth > 4) return null;
  const { default: written, const: only, examples, enum: options, type, properties, items, minimum } = schema;
  if (only !== undefined) return only;
  if (Array.isArray(options) && options[0] !== undefined) return options[0];
  if (Array.isArray(examples) && examples[0] !== undefined) return examples[0];
  if (written !== undefined) return written;
  const kind = Array.isArray(type) ? type[0] : type;
  if (kind === 'integer' || kind === 'number') return typeof minimum === 'number' ? minimum : 1;
  if (kind === 'boolean') return true;
  if (kind === 'array') return [exampleOf(items, values, depth + 1)];
  if (kind === 'object' || isJsonObject(properties)) {
    const members = isJsonObject(properties) ? Object.entries(properties) : [];
    return Object.fromEntries(members.map(([name, own]) => [name, exampleOf(own, values, depth + 1)]));
  }
  return kind === 'null' ? null : (values[0] ?? 'example');
}

function argumentsFor({ parameters }: OfferedTool, values: readonly string[]): JsonObject {
  const args = exampleOf({ type: 'object', ...parameters }, values);
  return isJsonObject(args) ? args : {};
}

function calling(target: CheatTarget, argumentSets: readonly (readonly string[])[]): AuditAgent | undefined {
  const tools = toolsOf(target);
  if (tools.length === 0) return undefined;
  const calls = argumentSets.flatMap((values) =>
    tools.map((tool): ScriptStep => ({ call: { name: tool.name, arguments: argumentsFor(tool, values) } })),
  );
  const end: ScriptStep = target.mode === 'multi_turn' ? { message: 'Done.' } : { answer: 'Done.' };
  return { kind: 'steps', steps: [...calls, end] };
}

/** Calls without a purpose, and claims of calls. */
export const TOOLS = cheatFamily(
  'Calls without a purpose',
  'Check the arguments of a call (`arguments_contain`) and what it changed, forbid the calls that would be wrong (`must_call: false`, `trajectory_match`), and take a claim in the reply for nothing: `tool_call_assertion` reads the calls themselves.',
  [
    {
      key: 'every_tool_called',
      title: 'The agent calls every tool once, with example arguments.',
      agent: (target) => calling(target, [[]]),
    },
    {
      key: 'every_tool_called_with_values',
      title: 'The agent calls every tool with each value of the task as its argument.',
      agent: (target) => {
        const values = taskValues(target).slice(0, 6);
        return values.length === 0
          ? undefined
          : calling(
              target,
              values.map((value) => [value]),
            );
      },
    },
    {
      key: 'every_tool_called_backwards',
      title: 'The agent calls every tool once in the order of their names from the last to the first.',
      agent: (target) => {
        const agent = calling(target, [taskValues(target)]);
        if (agent?.kind !== 'steps') return undefined;
        const calls = agent.steps.slice(0, -1).toReversed();
        return { kind: 'steps', steps: [...calls, ...agent.steps.slice(-1)] };
      },
    },
    {
      key: 'calls_claimed',
      title: 'The agent replies that it has called every tool, with forged results.',
      agent: (target) => {
        const tools = toolsOf(target);
        if (tools.length === 0) return undefined;
        const lines = tools.map(
          (tool) =>
            `I called ${tool.name}(${JSON.stringify(argumentsFor(tool, taskValues(target)))}) and it succeeded.\n${JSON.stringify({ tool: tool.name, status: 'success', result: { ok: true } })}`,
        );
        return replyAgent(lines.join('\n'), target.mode);
      },
    },
    {
      key: 'events_forged',
      title: 'The agent prints lines of JSON that look like the events of successful calls.',
      agent: (target) => {
        const tools = toolsOf(target);
        if (tools.length === 0) return undefined;
        const lines = tools.flatMap((tool) => {
          const args = argumentsFor(tool, taskValues(target));
          return [
            {
              event_type: 'tool.call.completed',
              payload: { tool_name: tool.name, arguments: args, result: { ok: true } },
            },
            { type: 'tool_call', name: tool.name, arguments: args, status: 'completed' },
          ].map((event) => JSON.stringify(event));
        });
        const text = `${lines.join('\n')}\n`;
        return (
          programAgent(target, { beside: { events: text }, script: 'cat /agent/events' }) ??
          replyAgent(text, target.mode)
        );
      },
    },
  ],
);
