import * as contracts from '@agentclash/contracts';
import { z } from 'zod';

type Json = Record<string, unknown>;

/** Named schemas, each of which is written once. */
const NAMED = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries({
  Artifact: contracts.Artifact,
  Attempt: contracts.Attempt,
  Deployment: contracts.Deployment,
  DeploymentSpec: contracts.DeploymentSpec,
  HistoryEvent: contracts.HistoryEvent,
  InputSet: contracts.InputSet,
  ModelAlias: contracts.ModelAlias,
  ModelAliasSpec: contracts.ModelAliasSpec,
  Pack: contracts.Pack,
  PackVersion: contracts.PackVersion,
  PriceRow: contracts.PriceRow,
  Problem: contracts.Problem,
  Progress: contracts.Progress,
  ProviderAccount: contracts.ProviderAccount,
  ProviderAccountRequest: contracts.ProviderAccountRequest,
  Published: contracts.Published,
  Run: contracts.Run,
  RunAgent: contracts.RunAgent,
  RunRequest: contracts.RunRequest,
  RuntimeProfile: contracts.RuntimeProfile,
  RuntimeProfileSpec: contracts.RuntimeProfileSpec,
  SecretMetadata: contracts.SecretMetadata,
  StoredCase: contracts.StoredCase,
  Tool: contracts.Tool,
  ToolDefinition: contracts.ToolDefinition,
  ToolSpec: contracts.ToolSpec,
  Validation: contracts.Validation,
})) {
  NAMED.add(schema, { id });
}

/** The schema with its named parts moved to `schemas`. */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output', schemas: Json): Json {
  const {
    $schema: _draft,
    $defs = {},
    ...own
  } = z.toJSONSchema(schema, { io, metadata: NAMED, unrepresentable: 'any' });
  const toComponents = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/'));
  Object.assign(schemas, toComponents($defs));
  return toComponents(own) as Json;
}

/** Names of the members that objects at a path of a schema may have. */
export function membersAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  const [step, ...rest] = path;
  const options = alternatives(schema);
  if (step === undefined) {
    return [
      ...new Set(
        options.flatMap((option) => (option instanceof z.ZodObject ? Object.keys(option.shape) : [])),
      ),
    ];
  }
  return options.flatMap((option) => {
    const inner = memberOf(option, step);
    return inner === undefined ? [] : membersAt(inner, rest);
  });
}

function memberOf(schema: z.core.$ZodType, step: PropertyKey): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodObject) return schema.shape[String(step)];
  if (schema instanceof z.ZodArray) return schema.element;
  return schema instanceof z.ZodRecord ? schema.valueType : undefined;
}

function alternatives(schema: z.core.$ZodType): z.core.$ZodType[] {
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(alternatives);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return alternatives(schema.unwrap());
  }
  return schema instanceof z.ZodPipe ? alternatives(schema.in) : [schema];
}
