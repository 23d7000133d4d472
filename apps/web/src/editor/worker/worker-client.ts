import workerUrl from './editor-worker.ts?worker&url';
import type { EditorOrder, EditorReply, EditorResults, EditorWork } from './orders.js';

/** Timeout of one piece of work, after which the worker is terminated. */
const WORK_MS_MAX = 20_000;

interface Call {
  name: keyof EditorWork;
  order: EditorOrder;
  resolve: (result: EditorResults[keyof EditorResults] | undefined) => void;
  reject: (error: Error) => void;
}

/** Work for a worker, one at a time; of several checks, or completions, in the meantime only the last is made. */
export class WorkerClient {
  private worker: Worker | undefined;
  private at: (Call & { timer: ReturnType<typeof setTimeout> }) | undefined;
  private waiting: Call[] = [];
  private count = 0;

  /** The result; undefined where a later call replaced this one. Rejects with the reason without a result. */
  async call<Name extends keyof EditorWork>(
    name: Name,
    work: NonNullable<EditorWork[Name]>,
  ): Promise<EditorResults[Name] | undefined> {
    this.count += 1;
    const order: EditorOrder = { id: this.count, [name]: work };
    const result = await new Promise<EditorResults[keyof EditorResults] | undefined>((resolve, reject) => {
      const replaced = this.replaced(name);
      for (const call of replaced) call.resolve(undefined);
      this.waiting = this.waiting.filter((call) => !replaced.includes(call));
      this.waiting.push({ name, order, resolve, reject });
      this.proceed();
    });
    return result as EditorResults[Name] | undefined;
  }

  close(): void {
    for (const call of this.waiting) call.resolve(undefined);
    this.waiting = [];
    this.giveUp()?.resolve(undefined);
  }

  /** The waiting calls that one of this name replaces. The pointer and the cursor have documentation independently. */
  private replaced(name: keyof EditorWork): Call[] {
    return name === 'hover' ? [] : this.waiting.filter((call) => call.name === name);
  }

  private proceed(): void {
    const [call, ...later] = this.waiting;
    if (this.at !== undefined || call === undefined) return;
    this.waiting = later;
    this.worker ??= this.open();
    const timer = setTimeout(() => {
      this.giveUp();
      call.reject(new Error('The check timed out: the document may be nested or repeated too deeply.'));
      this.proceed();
    }, WORK_MS_MAX);
    this.at = { ...call, timer };
    this.worker.postMessage(call.order);
  }

  private open(): Worker {
    const worker = new Worker(trusted(workerUrl), { type: 'module', name: 'editor' });
    worker.addEventListener('message', ({ data }: MessageEvent<EditorReply>) => this.onReply(data));
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      this.giveUp()?.reject(new Error('The checker could not be loaded.'));
    });
    return worker;
  }

  private onReply(reply: EditorReply): void {
    const { at } = this;
    if (at === undefined || reply.id !== at.order.id) return;
    clearTimeout(at.timer);
    this.at = undefined;
    // An older result would point at lines that have moved since.
    if (this.replaced(at.name).length > 0) at.resolve(undefined);
    else if ('bug' in reply) at.reject(new Error(reply.bug));
    else at.resolve(reply.result);
    this.proceed();
  }

  private giveUp(): Call | undefined {
    const { at } = this;
    clearTimeout(at?.timer);
    this.at = undefined;
    this.worker?.terminate();
    this.worker = undefined;
    return at;
  }
}

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): {
    createScriptURL(url: string): string;
  };
}

let policy: ReturnType<TrustedTypes['createPolicy']> | undefined;

/** The content policy of the page allows only the own worker as a script URL. */
function trusted(url: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  policy ??= trustedTypes?.createPolicy('agentclash-worker', {
    createScriptURL: (given) => {
      if (given !== workerUrl) throw new TypeError('not our worker');
      return given;
    },
  });
  return policy?.createScriptURL(url) ?? url;
}
