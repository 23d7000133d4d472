import { MOCK_STRATEGIES, type MockStrategy, serverOfTool } from '@agentclash/domain';
import { list } from '../decode/collections.js';
import { any, freeMap } from '../decode/free.js';
import { record } from '../decode/record.js';
import { type Applies, optional, type RecordBeingRead, required, type Shape } from '../decode/shape.js';
import { isNull, type SourceMap } from '../decode/source.js';
import { oneOf, type TextProblem, text } from '../decode/text.js';
import type { JsonObject } from '../json.js';
import { type CustomTool, type Implementation, type Tools } from '../pack/model.js';
import { suggestedName } from '../text/nearest-name.js';
import { trim } from '../text/white-space.js';
import { mockStrategy } from '../tools/mock.js';
import { isPrimitiveName, PRIMITIVE_NAMES } from '../tools/primitives.js';
import { MCP_SERVERS } from './mcp-servers.js';

type Kind = 'delegate' | 'mock' | 'unclear';

/** The kind of an implementation, by its `type` alone. */
function kindOf(source: SourceMap): Kind {
  const type = source.entries.get('type')?.value;
  if (!type) return 'delegate';
  if (type.kind !== 'scalar' || type.value === null) return 'unclear';
  return trim(type.text).toLowerCase() === 'mock' ? 'mock' : 'delegate';
}

function strategyOf({ source, draft }: RecordBeingRead): MockStrategy | undefined {
  if (source.entries.has('strategy')) return MOCK_STRATEGIES.find((known) => known === draft.strategy);
  const presence = (key: string) => (isWritten(source, key) ? {} : undefined);
  return mockStrategy({
    ...(isWritten(source, 'lookup_key') && { lookup_key: '' }),
    ...(presence('responses') && { responses: {} }),
    ...(presence('template') && { template: {} }),
  });
}

function isWritten(source: SourceMap, key: string): boolean {
  const value = source.entries.get(key)?.value;
  return value !== undefined && !isNull(value);
}

const onlyIn =
  (kind: Kind): Applies =>
  ({ source }) => {
    const actual = kindOf(source);
    if (actual === 'unclear') return 'unclear';
    return actual === kind ? 'yes' : 'no';
  };

const onlyInMock =
  (strategy: MockStrategy): Applies =>
  (record) => {
    const isMock = onlyIn('mock')(record);
    if (isMock !== 'yes') return isMock;
    const actual = strategyOf(record);
    if (actual === undefined) return 'unclear';
    return actual === strategy ? 'yes' : 'no';
  };

const IMPLEMENTATION = record<Implementation>({
  type: optional(
    text({ lowerCase: true }),
    'mock for a tool that responds from the pack; absent for a delegate.',
    {
      applies: onlyIn('mock'),
    },
  ),
  primitive: required(text(), 'Delegate: the primitive or custom tool that does the work.', {
    applies: onlyIn('delegate'),
  }),
  args: required(
    freeMap(),
    'Delegate: its arguments; ${name} is replaced by an argument of the call, ${secrets.NAME} by a secret.',
    { applies: onlyIn('delegate') },
  ),
  strategy: optional(oneOf(MOCK_STRATEGIES), 'Mock: how it responds; inferred when absent.', {
    applies: onlyIn('mock'),
  }),
  response: required(any({ null: 'value' }), 'Static mock: the response.', { applies: onlyInMock('static') }),
  lookup_key: required(text(), 'Lookup mock: dotted path to the argument that chooses.', {
    applies: onlyInMock('lookup'),
  }),
  responses: required(nonEmpty(freeMap()), 'Lookup mock: responses by value; "*" covers the rest.', {
    applies: onlyInMock('lookup'),
  }),
  template: required(freeMap(), 'Echo mock: the response, with placeholders for arguments.', {
    applies: onlyInMock('echo'),
  }),
});

const CUSTOM_TOOL = record<CustomTool>({
  name: required(
    text({ pattern: /^[A-Za-z0-9_-]{1,64}$/, form: 'up to 64 letters, digits, _ and -' }),
    'The name by which the agent calls the tool.',
  ),
  description: optional(text({ verbatim: true }), 'A description of the tool, shown to the agent.'),
  parameters: optional(
    freeMap(),
    'JSON Schema (2020-12) of the arguments, shown to the agent. Absent: no arguments.',
  ),
  implementation: required(IMPLEMENTATION, 'The effect of a call; never shown to the agent.'),
});

export const TOOLS = record<Tools>({
  custom: optional(list(CUSTOM_TOOL, { unique: 'name' }), 'Tools that the pack defines.'),
  allowed: optional(
    list(primitiveNameText()),
    'Built-in tools that remain visible. Empty or absent: all admitted.',
  ),
  denied: optional(
    list(deniedNameText()),
    'Built-in tools that are hidden, and tools of the servers of this pack, as SERVER__TOOL.',
  ),
  mcp_servers: optional(MCP_SERVERS, 'Servers of tools by MCP that the pack brings.'),
});

function nonEmpty(shape: Shape<JsonObject>): Shape<JsonObject> {
  return {
    ...shape,
    schema: { ...shape.schema, minProperties: 1 },
    decode(node, at, decoding) {
      if (node.kind === 'map' && node.entries.size === 0) decoding.report('required', at);
      return shape.decode(node, at, decoding);
    },
  };
}

function primitiveNameText(): Shape<string> {
  return { ...text({ check: primitiveNameProblem }), schema: { enum: [...PRIMITIVE_NAMES] } };
}

/** A tool of a server is checked with the servers: any name of its form is taken here. */
function deniedNameText(): Shape<string> {
  const name = text({
    check: (value) => (serverOfTool(value) === undefined ? primitiveNameProblem(value) : undefined),
  });
  const ofServer = { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9-]{0,23}__' };
  return { ...name, schema: { anyOf: [{ enum: [...PRIMITIVE_NAMES] }, ofServer] } };
}

function primitiveNameProblem(value: string): TextProblem | undefined {
  if (isPrimitiveName(value)) return undefined;
  const suggestion = suggestedName(value, PRIMITIVE_NAMES);
  return {
    code: 'unknown_reference',
    message: 'there is no such primitive',
    ...(suggestion && { suggestion }),
  };
}
