import { type JsonObject, type JsonValue, recordOf, textOf, textsIn } from '@agentclash/domain';
import type { Call } from './apis/api.js';
import type { Action, OfferedTool, ScriptedCall } from './behaviour.js';

/** Names under which coding agents offer a shell and ways to read and write a file, the surest first. */
const SHELLS = [
  /^(?:bash|shell|shell_command|exec_command|run_shell_command|local_shell|execute_command|run_command)$/i,
  /^exec$/,
  /bash|shell|exec/i,
];
const READERS = [/^(?:read|read_file|view|view_file)$/i];
const WRITERS = [/^(?:write|write_file|create_file|write_to_file)$/i];

/** A call of a tool that the request offers, or of any other. */
export type PlannedCall = ScriptedCall & Pick<Call, 'isCustom' | 'namespace'>;

/** The call of an offered tool that performs an action; undefined where none does. */
export function callFor(action: Action, tools: readonly OfferedTool[]): PlannedCall | undefined {
  if ('run' in action) return shellCall(action.run, tools);
  if ('call' in action) {
    const tool = named(tools, action.call.name);
    return tool && callOf(tool, action.call.arguments);
  }
  if ('read' in action) {
    const reader = found(tools, READERS);
    if (reader) return callOf(reader, pathArguments(reader, action.read));
    return shellCall(`cat ${quoted(action.read)}`, tools);
  }
  const { path, content } = action.write;
  const writer = found(tools, WRITERS);
  if (writer) return callOf(writer, writeArguments(writer, path, content));
  return shellCall(`printf %s ${quoted(content)} > ${quoted(path)}`, tools);
}

function callOf({ name, namespace }: OfferedTool, args: JsonValue): PlannedCall {
  return { name, arguments: args, ...(namespace !== undefined && { namespace }) };
}

function shellCall(command: string, tools: readonly OfferedTool[]): PlannedCall | undefined {
  const tool = found(tools, SHELLS);
  if (tool === undefined) return undefined;
  if (tool.kind === 'custom') {
    const script = `text(await tools.exec_command({ cmd: ${JSON.stringify(command)} }));`;
    return { ...callOf(tool, script), isCustom: true };
  }
  return callOf(tool, shellArguments(tool, command));
}

function found(tools: readonly OfferedTool[], names: readonly RegExp[]): OfferedTool | undefined {
  for (const name of names) {
    const tool = tools.find((each) => name.test(each.name));
    if (tool) return tool;
  }
  return undefined;
}

/** Agents put the name of the server before that of its tool: `mcp__pack__read`, `pack_read`. */
function named(tools: readonly OfferedTool[], name: string): OfferedTool | undefined {
  const functions = tools.filter(({ kind }) => kind === 'function');
  return (
    functions.find((tool) => tool.name === name) ?? functions.find((tool) => tool.name.endsWith(`_${name}`))
  );
}

function shellArguments({ parameters }: OfferedTool, command: string): JsonObject {
  const properties = recordOf(parameters.properties);
  const isList = textOf(recordOf(properties.command).type) === 'array';
  const key = Object.hasOwn(properties, 'cmd') ? 'cmd' : 'command';
  return { ...required(parameters), [key]: isList ? ['bash', '-lc', command] : command };
}

function writeArguments(tool: OfferedTool, path: string, content: string): JsonObject {
  const contents = parameterNames(tool).filter((name) => /^(?:content|contents|file_text|text)$/.test(name));
  return { ...pathArguments(tool, path), ...Object.fromEntries(contents.map((name) => [name, content])) };
}

function pathArguments(tool: OfferedTool, path: string): JsonObject {
  const paths = parameterNames(tool).filter((name) => /path|file_?name/i.test(name));
  return { ...required(tool.parameters), ...Object.fromEntries(paths.map((name) => [name, path])) };
}

function parameterNames({ parameters }: OfferedTool): string[] {
  return Object.keys(recordOf(parameters.properties));
}

const SAMPLES: Readonly<Record<string, JsonValue>> = { boolean: false, integer: 10_000, number: 10_000 };

/** A value for every required argument. */
function required(parameters: JsonObject): JsonObject {
  const properties = recordOf(parameters.properties);
  return Object.fromEntries(
    textsIn(parameters, 'required').map((name) => {
      const property = recordOf(properties[name]);
      const [choice] = textsIn(property, 'enum');
      return [name, choice ?? SAMPLES[textOf(property.type)] ?? 'scripted'];
    }),
  );
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
