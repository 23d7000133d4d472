import { parentPort } from 'node:worker_threads';
import {
  type EvaluationSpec,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
  readJsonSchema,
  type ValidatorOf,
} from '@agentclash/challengepack';
import type { PatternTask, TestRunPayload } from '@agentclash/engine';
import { searchPattern } from '@agentclash/engine/pattern-search';
import { type ReplyTask, readReply } from '@agentclash/engine/replies';
import type { AttemptEvidence, SecurityInput, ValidatorResult } from '@agentclash/grading';
import {
  prepareCall,
  type RawCall,
  type RawModelReply,
  readMcpMessage,
  readModelReply,
} from '@agentclash/model-broker';
import type { DrawnCase, MutantsTask, PackView, PlanTask } from '@agentclash/pack-audit';
import type { Planner } from '@agentclash/pack-audit/planner';
import { LRUCache } from 'lru-cache';

export interface ArgumentTask {
  /** Of the schema, which is sent only where it is not cached yet. */
  readonly digest: string;
  readonly schema?: JsonObject;
  readonly args: JsonValue;
  readonly opaque: readonly string[];
}

/** A message of a program to its tools. */
export interface MessageTask {
  readonly message: Uint8Array;
}

export type ArgumentReply =
  | 'schema_unknown'
  | { unchecked: 'invalid_schema' }
  | { ok: true }
  | { ok: false; path: string; message: string };

const SCHEMAS_MAX = 100;

/** Checks arguments, keeping the schemas that were used last. */
class ArgumentChecker {
  /** `invalid` for a schema that cannot be read. */
  private readonly schemas = new LRUCache<string, JsonSchema | 'invalid'>({ max: SCHEMAS_MAX });

  reply({ digest, schema: given, args, opaque }: ArgumentTask): ArgumentReply {
    const known = this.schemas.get(digest);
    const schema = known ?? (given && this.read(given));
    if (schema === undefined) return 'schema_unknown';
    if (known === undefined) this.schemas.set(digest, schema);
    if (schema === 'invalid') return { unchecked: 'invalid_schema' };
    const [first] = schema.violations(args, new Set(opaque));
    return first === undefined ? { ok: true } : { ok: false, path: first.path, message: first.message };
  }

  private read(schema: JsonObject): JsonSchema | 'invalid' {
    const reading = readJsonSchema(schema, { assertsFormats: false });
    return reading.ok ? reading.schema : 'invalid';
  }
}

// The program of a thread for work that agents and authors cause: one reply to each task. The first message reports
// that it can begin.
const checker = new ArgumentChecker();
/** A run of a validator whose score is wanted. */
export interface TestRunTask {
  readonly validator: ValidatorOf<'code_execution'>;
  readonly run: TestRunPayload;
}

/** A trial of an audit whose scorecard is wanted; with `index` the result of one validator, with `validators` the rest. */
export interface ScoreTask {
  readonly spec: EvaluationSpec;
  readonly evidence: AttemptEvidence;
  readonly security: SecurityInput | undefined;
  readonly index?: number;
  readonly validators?: readonly ValidatorResult[];
}

/** Work of an audit on one pack, which is sent only where it is not cached yet. */
export interface AuditTask {
  readonly pack: string;
  readonly view?: PackView;
  readonly audit: { readonly plan: PlanTask } | { readonly mutants: MutantsTask };
}

/** Cases of an audit that are to be drawn. */
export interface DrawTask {
  readonly cases: readonly DrawnCase[];
  readonly options: { most: number; seed: string };
}

const PACKS_MAX = 4;
const planners = new LRUCache<string, Planner>({ max: PACKS_MAX });

type Task = ArgumentTask | PatternTask | RawCall | RawModelReply | MessageTask | ReplyTask;
parentPort?.on('message', (task: Task | TestRunTask | ScoreTask | AuditTask | DrawTask) => {
  if ('validator' in task) void scoreRun(task);
  else if ('evidence' in task) void score(task);
  else if ('audit' in task) void plan(task);
  else if ('cases' in task) void draw(task);
  else parentPort?.postMessage(replyTo(task));
});

/** Graders are loaded by the first run, so that a thread without one has all of its memory for other tasks. */
async function scoreRun({ validator, run }: TestRunTask): Promise<void> {
  const { testRunScore } = await import('@agentclash/grading');
  parentPort?.postMessage({ score: testRunScore(validator, run) });
}

async function score({ spec, evidence, security, index, validators }: ScoreTask): Promise<void> {
  const { composeScorecard, judgeResults, scoreValidators } = await import('@agentclash/grading');
  if (index !== undefined) {
    const [result] = scoreValidators({ validators: spec.validators.slice(index, index + 1) }, evidence);
    parentPort?.postMessage(result);
    return;
  }
  const limits = spec.scorecard.judge_limits;
  const card = composeScorecard(spec, evidence, {
    validators: validators ?? scoreValidators(spec, evidence),
    judges: judgeResults(spec.llm_judges, { limits, evidence, records: [] }),
    security,
  });
  parentPort?.postMessage(card);
}

/** Only threads of audits load this. */
async function plan({ pack, view, audit }: AuditTask): Promise<void> {
  const { Planner } = await import('@agentclash/pack-audit/planner');
  const planner = planners.get(pack) ?? (view && new Planner(view));
  if (planner) planners.set(pack, planner);
  parentPort?.postMessage(planner ? await planned(planner, audit) : 'pack_unknown');
}

async function planned(planner: Planner, audit: AuditTask['audit']) {
  return 'plan' in audit ? await planner.plan(audit.plan) : await planner.mutants(audit.mutants);
}

async function draw({ cases, options }: DrawTask): Promise<void> {
  const { drawCases } = await import('@agentclash/pack-audit/planner');
  parentPort?.postMessage(drawCases(cases, options));
}

function replyTo(task: Task) {
  if ('pattern' in task) return searchPattern(task);
  if ('message' in task) return readMcpMessage(task.message);
  if ('form' in task) return readReply(task);
  if ('isStream' in task) return readModelReply(task);
  return 'wire' in task ? prepareCall(task) : checker.reply(task);
}
