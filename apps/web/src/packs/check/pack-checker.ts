import { useEffect, useRef, useState } from 'react';
import type { Checked, CheckOrder, CheckReply } from './pack-worker.js';
import workerUrl from './pack-worker.ts?worker&url';

/** Timeout of a check, after which the worker is terminated. */
const CHECK_MS_MAX = 20_000;

/** Checks packs in a worker, one at a time; of several requests in the meantime only the last is checked. */
class PackChecker {
  private worker: Worker | undefined;
  private at: { id: number; timer: ReturnType<typeof setTimeout> } | undefined;
  private next: CheckOrder | undefined;
  private count = 0;

  /** `onChecked` receives the result for the last document, `onBug` the error without a result. */
  constructor(
    private readonly onChecked: (checked: Checked) => void,
    private readonly onBug: (message: string) => void,
  ) {}

  check(text: string, files: readonly string[]): void {
    this.count += 1;
    this.next = { id: this.count, text, files };
    this.proceed();
  }

  close(): void {
    this.next = undefined;
    this.giveUp();
  }

  private proceed(): void {
    if (this.at !== undefined || this.next === undefined) return;
    const order = this.next;
    this.next = undefined;
    this.worker ??= this.open();
    const timer = setTimeout(() => {
      this.giveUp();
      this.onBug('The check timed out: the document may be nested or repeated too deeply.');
      this.proceed();
    }, CHECK_MS_MAX);
    this.at = { id: order.id, timer };
    this.worker.postMessage(order);
  }

  private open(): Worker {
    const worker = new Worker(trusted(workerUrl), { type: 'module', name: 'pack' });
    worker.addEventListener('message', ({ data }: MessageEvent<CheckReply>) => this.onReply(data));
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      this.giveUp();
      this.onBug('The checker could not be loaded.');
    });
    return worker;
  }

  private onReply(reply: CheckReply): void {
    if (reply.id !== this.at?.id) return;
    clearTimeout(this.at.timer);
    this.at = undefined;
    // An older result would point at lines that have moved since.
    if (this.next === undefined) {
      if ('bug' in reply) this.onBug(reply.bug);
      else this.onChecked(reply.checked);
    }
    this.proceed();
  }

  private giveUp(): void {
    clearTimeout(this.at?.timer);
    this.at = undefined;
    this.worker?.terminate();
    this.worker = undefined;
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

const PAUSE_MS = 150;

/** Checks a document while it is typed; results stay until there are new ones. */
export function usePackCheck(text: string, files: readonly string[]): { checked?: Checked; bug?: string } {
  const [state, setState] = useState<{ checked?: Checked; bug?: string }>({});
  const checker = useRef<PackChecker>(null);
  useEffect(() => {
    const mine = new PackChecker(
      (checked) => setState({ checked }),
      (bug) => setState({ bug }),
    );
    checker.current = mine;
    return () => mine.close();
  }, []);
  useEffect(() => {
    if (text.trim() === '') {
      setState({});
      return;
    }
    const timer = setTimeout(() => checker.current?.check(text, files), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, files]);
  return state;
}
