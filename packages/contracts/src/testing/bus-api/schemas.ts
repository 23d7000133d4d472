import path from 'node:path';
import { z } from 'zod';
import { BUS_API } from '../../access.js';
import { busApi, RunOrder } from '../../bus-api.js';
import type { Message } from '../../message.js';
import { runEvents } from '../../run-events.js';

type Json = Record<string, unknown>;

export const SCHEMA_FILE = path.resolve(
  import.meta.dirname,
  '../../../../../docs/reference/nats-messages.schema.json',
);

const ERROR = {
  type: 'object',
  required: ['ok', 'error'],
  properties: {
    ok: { const: false },
    error: {
      type: 'object',
      required: ['code', 'message', 'details'],
      properties: { code: { type: 'string' }, message: { type: 'string' }, details: { type: 'object' } },
    },
  },
};

/** JSON Schemas of all messages of the bus API, for clients that do not import the contracts. */
export function busApiSchemas(): string {
  const requested = { [busApi.request.subject]: schemaOf(RunOrder, 'input') };
  const rpcs = Object.fromEntries(
    [busApi.get, busApi.scorecard].flatMap((rpc) => [
      [rpc.subject, schemaOf(rpc.input, 'input')],
      [`${rpc.subject} (reply)`, { oneOf: [okReply(schemaOf(rpc.output, 'output')), ERROR] }],
    ]),
  );
  const events = Object.fromEntries(
    Object.values(runEvents).map((event) => [event.subject, schemaOf(event.input, 'output')]),
  );
  const document = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'AgentClash: messages of the API on NATS',
    description:
      'Written by `pnpm schema`. Each definition is named by its subject, which on the wire ends with the id of the workspace.',
    $defs: { ...requested, ...rpcs, ...events },
  };
  return `${JSON.stringify(document, null, 1)}\n`;
}

/** Subjects that the file has to describe. */
export function describedSubjects(): string[] {
  const messages: readonly Message[] = [...BUS_API.sends, ...BUS_API.subscribes];
  return messages.map(({ subject }) => subject);
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _draft, ...own } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return own;
}

function okReply(data: Json): Json {
  return { type: 'object', required: ['ok', 'data'], properties: { ok: { const: true }, data } };
}
