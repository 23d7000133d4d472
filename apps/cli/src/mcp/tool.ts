import { z } from 'zod';
import type { AllowedFolders } from './allowed-folders.js';
import type { EndedCommand } from './child-command.js';
import type { Progress } from './progress.js';

/** The rights that the command gives to the tools of its server. */
export interface ServerOptions {
  /** The environment variables that agents and packs may use as secrets. */
  secrets: readonly string[];
  allowLoopbackEndpoints: boolean;
}

/** One call of a tool. */
export interface ToolCall {
  options: ServerOptions;
  folders: AllowedFolders;
  progress: Progress;
  /** Aborted when the client cancels the call or is gone. */
  signal: AbortSignal;
  /** A command line of this program; `isProgress` is true for lines of stderr that are progress alone. */
  command(words: readonly string[], settings?: CommandSettings): Promise<EndedCommand>;
}

export interface CommandSettings {
  isProgress?: (line: string) => boolean;
  /** True for commands that run what a file describes, which could send credentials elsewhere: they get named secrets alone. */
  isOfFiles?: boolean;
  /** True for a short command that has to end although the call is cancelled. */
  isFinal?: boolean;
}

/** The result of a tool, before it is bounded. */
export interface ToolReply {
  ended: readonly EndedCommand[];
  /** Next steps, as calls of tools. */
  next?: readonly string[];
}

export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  title: string;
  description: string;
  input: Input;
  isReadOnly: boolean;
  call(input: z.infer<Input>, call: ToolCall): Promise<ToolReply>;
}

/** Keeps the type of the input beside the function that reads it. */
export function defineTool<Input extends z.ZodObject>(tool: Tool<Input>): Tool {
  return tool;
}

/** A name among options of a command line: one that begins with a hyphen would be an option. */
export const Name = z
  .string()
  .max(200)
  .regex(/^[^-\s][^\r\n]*$/, 'a name that does not begin with a hyphen');

export const FilePath = z.string().min(1).max(1_000);

/** Options of a command line, `--name=value` each; undefined and false are left out. */
export function optionWords(
  options: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>,
): string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    if (value === true) return [`--${name}`];
    if (typeof value === 'object') return value.map((each) => `--${name}=${each}`);
    return [`--${name}=${value}`];
  });
}
