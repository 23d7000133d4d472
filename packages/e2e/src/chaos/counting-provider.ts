import { type ScriptedRequest, scriptedModel } from '@agentclash/scripted-model';
import { MODELS, type ModelName } from './race.js';

/** A model provider that counts the requests for each case. */
export interface CountingProvider {
  readonly url: string;
  /** Requests since the last `forget`, by `model case`. */
  readonly calls: ReadonlyMap<string, number>;
  reset(): void;
  close(): Promise<void>;
}

/** Pause before each piece of a reply: an attempt takes about a second, so that a fault can hit its middle. */
const DRIP_MS = 120;
const FRAGMENT = 4;

export async function countingProvider(): Promise<CountingProvider> {
  const calls = new Map<string, number>();
  const server = await scriptedModel((request) => {
    const { model, caseKey, number } = subjectOf(request);
    const subject = `${model} ${caseKey}`;
    calls.set(subject, (calls.get(subject) ?? 0) + 1);
    const reply = MODELS[model](number, turnsIn(request.body.messages));
    return { ...reply, dripMs: DRIP_MS, fragment: FRAGMENT };
  });
  return { url: server.url, calls, reset: () => calls.clear(), close: () => server.close() };
}

function subjectOf({ body }: ScriptedRequest): { model: ModelName; caseKey: string; number: number } {
  const model = String(body.model);
  const [caseKey, number] = /case-(\d+)/.exec(JSON.stringify(body.messages)) ?? [];
  if (!Object.hasOwn(MODELS, model) || caseKey === undefined) throw new Error(`unknown: ${model} ${caseKey}`);
  return { model: model as ModelName, caseKey, number: Number(number) };
}

/** Replies of the model so far in this conversation. */
function turnsIn(messages: ScriptedRequest['body'][string] | undefined): number {
  if (!Array.isArray(messages)) return 0;
  return messages.filter((message) => JSON.stringify(message).includes('"role":"assistant"')).length;
}
