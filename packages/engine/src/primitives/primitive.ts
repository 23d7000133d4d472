import type { PlannedFilesystem, Policy } from '@agentclash/attempt-plan';
import type { JsonObject, JsonValue } from '@agentclash/challengepack';
import type { Egress } from '@agentclash/egress';
import type { Redactor } from '@agentclash/redaction';
import { z } from 'zod';
import type { AttemptEvents } from '../events/attempt-events.js';
import type { AttemptSandbox } from '../sandbox/attempt-sandbox.js';
import type { CanaryDetector } from '../secrets/canary-detector.js';
import type { SecretUse } from '../secrets/secret-use.js';
import type { PatternSearches, QueryLimiter } from '../workers/bounded-work.js';

/** The context of one call of a primitive. */
export interface PrimitiveContext {
  toolCallId: string;
  sandbox: AttemptSandbox;
  filesystem: PlannedFilesystem;
  policy: Policy;
  egress: Egress;
  /** CIDRs; empty admits public addresses only. */
  networkAllowlist: readonly string[];
  events: AttemptEvents;
  patternSearches: PatternSearches;
  queryLimiter: QueryLimiter;
  /** Leaves time out of the attempt's. */
  exclude: (ms: number) => void;
  /** Milliseconds until the attempt's time limit. */
  remainingMs: () => number;
  signal: AbortSignal;
  /** The positions of opened secrets in this call's arguments. */
  secrets: SecretUse;
  /** Hides every secret that the attempt has opened; results as a whole are redacted anyway. */
  redactor: Redactor;
  /** Finds planted values in outgoing requests. */
  canaries: CanaryDetector;
}

/** An executor operation. Arguments have passed `parameters` when `run` sees them. */
export interface Primitive {
  description: string;
  /** Closed JSON Schema 2020-12 with an object root. */
  parameters: JsonObject;
  /** Fields of the result that a preview replaces when it is long. */
  mainFields: readonly string[];
  /** The path at which a long result is stored already; without it, it is spilled to a file. */
  wholeAt?: (args: JsonObject) => string;
  /** Throws ToolError for errors that the agent may work around. */
  run(args: JsonObject, context: PrimitiveContext): Promise<JsonValue>;
}

interface Definition<Shape extends z.ZodType> {
  description: string;
  shape: Shape;
  mainFields?: readonly string[];
  wholeAt?: (args: z.infer<Shape>) => string;
  run(args: z.infer<Shape>, context: PrimitiveContext): Promise<JsonValue>;
}

/** Declares a primitive once: its shape is the schema an agent sees and the type its code gets. */
export function definePrimitive<Shape extends z.ZodType>(definition: Definition<Shape>): Primitive {
  const { description, shape, mainFields = [], wholeAt, run } = definition;
  const { $schema, ...parameters } = z.toJSONSchema(shape, { io: 'input' });
  return {
    description,
    parameters: JSON.parse(JSON.stringify(parameters)),
    mainFields,
    ...(wholeAt && { wholeAt: (args: JsonObject) => wholeAt(shape.parse(args)) }),
    run: (args, context) => run(shape.parse(args), context),
  };
}
