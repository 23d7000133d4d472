import { type Payload, recordOf, textOf, textsIn } from '@agentclash/domain';
import type { OfferedTool, Reply } from './apis/api.js';
import type { Action } from './behaviour.js';

/** Names under which coding agents offer a shell and a way to write a file, the surest first. */
const SHELLS = [
  /^(?:bash|shell|shell_command|exec_command|run_shell_command|local_shell|execute_command|run_command)$/i,
  /^exec$/,
  /bash|shell|exec/i,
];
const WRITERS = [/^(?:write|write_file|create_file|write_to_file)$/i];

type Call = NonNullable<Reply['call']>;

/** The call of an offered tool that performs an action; undefined where none does. */
export function callFor(action: Action, tools: readonly OfferedTool[]): Call | undefined {
  if ('text' in action) return undefined;
  if ('run' in action) return shellCall(action.run, tools);
  const { path, content } = action.write;
  const writer = found(tools, WRITERS);
  if (writer) return { tool: writer, arguments: writeArguments(writer, path, content) };
  return shellCall(`printf %s ${quoted(content)} > ${quoted(path)}`, tools);
}

function shellCall(command: string, tools: readonly OfferedTool[]): Call | undefined {
  const tool = found(tools, SHELLS);
  if (tool === undefined) return undefined;
  if (tool.kind === 'custom') {
    return { tool, input: `text(await tools.exec_command({ cmd: ${JSON.stringify(command)} }));` };
  }
  return { tool, arguments: shellArguments(tool, command) };
}

function found(tools: readonly OfferedTool[], names: readonly RegExp[]): OfferedTool | undefined {
  for (const name of names) {
    const tool = tools.find((each) => name.test(each.name));
    if (tool) return tool;
  }
  return undefined;
}

function shellArguments({ parameters }: OfferedTool, command: string): Payload {
  const properties = recordOf(parameters.properties);
  const isList = textOf(recordOf(properties.command).type) === 'array';
  const key = Object.hasOwn(properties, 'cmd') ? 'cmd' : 'command';
  return { ...required(parameters), [key]: isList ? ['bash', '-lc', command] : command };
}

function writeArguments({ parameters }: OfferedTool, path: string, content: string): Payload {
  const names = Object.keys(recordOf(parameters.properties));
  const paths = names.filter((name) => /path|file_?name/i.test(name));
  const contents = names.filter((name) => /^(?:content|contents|file_text|text)$/.test(name));
  return {
    ...required(parameters),
    ...Object.fromEntries(paths.map((name) => [name, path])),
    ...Object.fromEntries(contents.map((name) => [name, content])),
  };
}

const SAMPLES: Readonly<Record<string, unknown>> = { boolean: false, integer: 10_000, number: 10_000 };

/** A value for every required argument. */
function required(parameters: Payload): Payload {
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
