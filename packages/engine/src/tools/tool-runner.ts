import type { Policy } from '@agentclash/attempt-plan';
import {
  argumentLookup,
  descend,
  fillTemplate,
  isOpaqueObject,
  type JsonObject,
  type JsonValue,
  type Lookup,
  MockError,
  mapOpaque,
  mockResponse,
  type OpaqueJson,
  type OpaqueObject,
  PlaceholderError,
  PRIMITIVES,
  type PrimitiveName,
} from '@agentclash/challengepack';
import type { ResolutionHop, ToolLayer } from '@agentclash/domain';
import { ToolError } from '../outcome/tool-error.js';
import type { Primitive, PrimitiveContext } from '../primitives/primitive.js';
import { stopCanaries } from '../primitives/stop-canaries.js';
import type { OpenedSecrets } from '../secrets/opened-secrets.js';
import { checkSecretPositions, NO_SECRETS, secretPositions } from '../secrets/secret-use.js';
import { type ArgumentChecks, type ArgumentsVerdict, argumentsCheck, verdictOf } from './arguments.js';
import type { DefinedTool, ToolCatalog } from './catalog.js';
import { isAdmitted, SERVER_RESULT_FIELDS, type ServerTool } from './server-tool.js';
import { HOPS_MAX } from './surface.js';

export interface ToolRunnerOptions {
  catalog: ToolCatalog;
  policy: Policy;
  primitives: { readonly [P in PrimitiveName]?: Primitive };
  secrets: OpenedSecrets;
  argumentChecks: ArgumentChecks;
  context: Omit<PrimitiveContext, 'toolCallId' | 'secrets' | 'redactor'>;
}

/** One call on its way down its chain. */
interface Descent {
  toolCallId: string;
  trace: CallTrace;
  hops: number;
}

/** Runs a tool through its delegation to the end of its chain. Throws ToolError, or AttemptEnded. */
export class ToolRunner {
  constructor(private readonly options: ToolRunnerOptions) {}

  run(
    tool: PrimitiveName | DefinedTool | ServerTool,
    args: JsonObject,
    call: { toolCallId: string; trace: CallTrace },
  ): Promise<JsonValue> {
    if (typeof tool !== 'string' && 'server' in tool) return this.runOnServer(tool, args, call);
    return this.enter(tool, args, { ...call, hops: 0 });
  }

  /** The server checks its arguments by itself: a schema that is unusable here is no reason to refuse them. */
  private async runOnServer(
    tool: ServerTool,
    args: JsonObject,
    { toolCallId, trace }: { toolCallId: string; trace: CallTrace },
  ): Promise<JsonValue> {
    const { policy, secrets, context, argumentChecks } = this.options;
    trace.ranOnServer(tool);
    if (!isAdmitted(tool, policy)) {
      throw new ToolError('policy', 'the policy does not admit this server', { origin: 'policy' });
    }
    const bounds = { signal: context.signal, exclude: context.exclude };
    const given = { schema: tool.parameters, args, opaque: new Set<string>() };
    const verdict = await argumentChecks.check(given, bounds);
    if (!('unchecked' in verdict)) refuse(verdict, { toolCallId, trace, hops: 0 });
    if (tool.url !== undefined) {
      stopCanaries({ url: tool.url, body: JSON.stringify(args) }, { ...context, toolCallId });
    }
    const { signal, remainingMs } = context;
    return secrets.redact(await tool.call(args, { toolCallId, signal, timeoutMs: remainingMs() }));
  }

  private enter(tool: PrimitiveName | DefinedTool, args: OpaqueObject, descent: Descent): Promise<JsonValue> {
    return typeof tool === 'string'
      ? this.runPrimitive(tool, args, descent)
      : this.runDefined(tool, args, descent);
  }

  private async runDefined(tool: DefinedTool, args: OpaqueObject, descent: Descent): Promise<JsonValue> {
    const { trace, hops } = descent;
    trace.hop(tool.name, tool.layer);
    await this.checkDefined(tool, args, descent);
    const { body } = tool;
    if (body.kind === 'mock') {
      trace.resolvedByMock();
      return mockResult(body.mock, args);
    }
    if (hops >= HOPS_MAX)
      throw new ToolError('delegation', 'the delegation of the tool is too deep', { origin: 'delegation' });
    const below = { ...descent, hops: hops + 1 };
    if (body.kind === 'delegate') {
      return this.delegate(tool, body, { lookup: argumentLookup(args), descent: below });
    }
    const results: OpaqueObject = {};
    let last: JsonValue = null;
    for (const step of body.steps) {
      last = await this.delegate(tool, step, { lookup: stepLookup(args, results), descent: below });
      results[step.id] = last;
    }
    return last;
  }

  private delegate(
    from: DefinedTool,
    { to, args }: { to: string; args: JsonObject },
    { lookup, descent }: { lookup: Lookup; descent: Descent },
  ): Promise<JsonValue> {
    const delegate = this.options.catalog.delegate(to, from.layer);
    if (!delegate)
      throw new ToolError('delegation', 'a delegate of the tool does not exist', { origin: 'delegation' });
    return this.enter(delegate, filled(args, lookup), descent);
  }

  private async runPrimitive(name: PrimitiveName, args: OpaqueObject, descent: Descent): Promise<JsonValue> {
    const { primitives, policy, secrets, context } = this.options;
    const primitive = primitives[name];
    descent.trace.hop(name, 'primitive');
    if (!primitive || !policy.primitives.has(name)) {
      throw new ToolError('policy', 'the policy does not admit this operation', { origin: 'policy' });
    }
    const opaque = new Set(secretPositions(args).keys());
    refuse(argumentsCheck(primitive.parameters)(masked(args), opaque), descent);
    descent.trace.ran(name, masked(args));
    const use = await this.open(name, args);
    const plain = mapOpaque(args, (text) => text.reveal((key) => use.values.get(key) ?? ''));
    const result = await primitive.run(plain as JsonObject, {
      ...context,
      toolCallId: descent.toolCallId,
      secrets: use.positions,
      redactor: secrets.redactor,
    });
    return secrets.redact(result);
  }

  private async checkDefined(
    { parameters: schema }: DefinedTool,
    args: OpaqueObject,
    descent: Descent,
  ): Promise<void> {
    const { argumentChecks, context } = this.options;
    const opaque = new Set(secretPositions(args).keys());
    const bounds = { signal: context.signal, exclude: context.exclude };
    refuse(await verdictOf(argumentChecks, { schema, args: masked(args), opaque }, bounds), descent);
  }

  private async open(name: PrimitiveName, args: OpaqueObject) {
    const positions = secretPositions(args);
    if (positions.size === 0) return { positions: NO_SECRETS, values: new Map<string, string>() };
    checkSecretPositions(name, positions.keys());
    if (args.output_path !== undefined) {
      throw new ToolError(
        'secret_with_output_path',
        'the response to a request with a secret may not be stored',
        {
          path: '/output_path',
        },
      );
    }
    const { secrets, context } = this.options;
    const opened = await secrets.open([...positions.values()].flat(), context.signal);
    const secretsOf = (keys: string[]) => keys.flatMap((key) => opened.get(key) ?? []);
    return {
      positions: new Map([...positions].map(([path, keys]) => [path, secretsOf(keys)] as const)),
      values: new Map([...opened].map(([key, secret]) => [key, secret.reveal()])),
    };
  }
}

/** Refuses arguments at every hop; only those of the agent's own call are its error. */
function refuse(verdict: ArgumentsVerdict, { hops }: Descent): void {
  if (verdict.ok) return;
  if (hops === 0) {
    const message = `${verdict.path || 'the arguments'} ${verdict.message}`;
    throw new ToolError('arguments', message, { origin: 'arguments', path: verdict.path });
  }
  throw new ToolError('delegation', 'the arguments of the delegate do not match its schema', {
    origin: 'delegation',
  });
}

function filled(template: JsonObject, lookup: Lookup): OpaqueObject {
  try {
    const args = fillTemplate(template, lookup);
    if (isOpaqueObject(args)) return args;
  } catch (error) {
    if (!(error instanceof PlaceholderError)) throw error;
    throw new ToolError(error.code, error.message, { origin: 'resolution' });
  }
  throw new ToolError('delegation', 'the tool passes no arguments to its delegate', { origin: 'delegation' });
}

/** In steps, `params.x` is `x`, and `steps.ID` is the result of an earlier step. */
function stepLookup(args: OpaqueObject, results: OpaqueObject): Lookup {
  const byName = argumentLookup(args);
  return (ref) => {
    if (ref.kind !== 'path') return byName(ref);
    const [root, ...rest] = ref.path;
    if (root === 'params') return descend(args, rest);
    return root === 'steps' ? descend(results, rest) : byName(ref);
  };
}

function mockResult(mock: Parameters<typeof mockResponse>[0], args: OpaqueObject): JsonValue {
  try {
    return mockResponse(mock, masked(args));
  } catch (error) {
    if (!(error instanceof MockError)) throw error;
    throw new ToolError('mock', error.message, { origin: 'mock' });
  }
}

function masked(args: OpaqueJson): JsonObject {
  return mapOpaque(args, (text) => text.mask()) as JsonObject;
}

/** The resolution of one call, recorded step by step, so that a failure shows the steps so far. */
export class CallTrace {
  readonly chain: ResolutionHop[] = [];
  /** The primitive that ran last, with its arguments; secrets in them are masked. */
  last: { primitive: PrimitiveName; args: JsonObject } | undefined;
  private isMock = false;
  /** The tool of a server that ran. */
  private onServer: ServerTool | undefined;

  ranOnServer(tool: ServerTool): void {
    this.onServer = tool;
    this.hop(tool.tool, 'mcp');
  }

  /** Fields of the result that a preview replaces when it is long; undefined where that depends on a primitive. */
  get resultFields(): readonly string[] | undefined {
    return this.onServer && SERVER_RESULT_FIELDS;
  }

  hop(name: string, layer: ToolLayer): void {
    this.chain.push({ name, layer });
  }

  ran(primitive: PrimitiveName, args: JsonObject): void {
    this.last = { primitive, args };
  }

  resolvedByMock(): void {
    this.isMock = true;
  }

  get resolvedTool(): string | null {
    if (this.onServer) return `${this.onServer.server}/${this.onServer.tool}`;
    return this.last?.primitive ?? (this.isMock ? (this.chain.at(-1)?.name ?? null) : null);
  }

  get kind(): string | null {
    if (this.onServer) return 'mcp';
    if (this.last) return PRIMITIVES[this.last.primitive];
    return this.isMock ? 'mock' : null;
  }
}
