import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  INSTALL_POLICY,
  lastingErrorIn,
  REGISTER_TEMPLATE,
  rejectInvalidNames,
} from '../packages/apt-errors.js';
import { SharedWork, unlessAborted } from '../packages/shared-work.js';
import { SandboxError } from '../sandbox-error.js';
import type { E2bApi, E2bBuild, E2bTemplate } from './api.js';

const BUILD_MS_MAX = 15 * 60_000;
const POLL_INTERVAL_MS = 2_000;
const LOG_CHARACTERS_MAX = 2_000;
/** Changes when templates are made in another way. */
const FORMAT_VERSION = 1;

/**
 * Templates with packages, built by the service once per template and set of names, and kept in the account. Sandboxes
 * of them have no more network than others: only the build has one.
 */
export class PackageTemplates {
  readonly #ready = new Map<string, string>();
  readonly #made = new SharedWork<string>();
  readonly #closing = new AbortController();

  constructor(
    private readonly api: E2bApi,
    private readonly pollIntervalMs: number = POLL_INTERVAL_MS,
  ) {}

  /** The id of a template that has these packages; making it may take minutes. Throws SandboxError. */
  async with(base: string, names: readonly string[], signal: AbortSignal | undefined): Promise<string> {
    if (names.length === 0) return base;
    rejectInvalidNames(names);
    const wanted = [...new Set(names)].sort();
    const name = nameOf(base, wanted);
    return (
      this.#ready.get(name) ??
      (await unlessAborted(
        signal,
        this.#made.do(name, () => this.#make(name, base, wanted)),
      ))
    );
  }

  /** Ends the waiting; the service continues to build. */
  close(): void {
    this.#closing.abort(new SandboxError('unavailable', 'the sandbox provider is closed'));
  }

  async #make(name: string, base: string, names: readonly string[]): Promise<string> {
    const templates = await this.api.templates();
    const made = templates.find((template) => isCalled(template, name));
    const id =
      made?.buildStatus === 'ready' ? made.templateID : await this.#build(name, { base, names, templates });
    this.#ready.set(name, id);
    return id;
  }

  async #build(
    name: string,
    { base, names, templates }: { base: string; names: readonly string[]; templates: readonly E2bTemplate[] },
  ): Promise<string> {
    const original = templates.find((template) => isCalled(template, base));
    // Without them the machine would have another size than the template that it replaces.
    const size = original && { cpuCount: original.cpuCount, memoryMB: original.memoryMB };
    const install = ['apt-get', ...INSTALL_POLICY, 'install', '--', ...names].join(' ');
    const command = `apt-get update && DEBIAN_FRONTEND=noninteractive ${install}`;
    const build = await this.api.buildTemplate(
      { name, ...size },
      { fromTemplate: base, steps: [{ type: 'RUN', args: [command, 'root'] }] },
    );
    const deadline = performance.now() + BUILD_MS_MAX;
    for (;;) {
      const found = await this.api.build(build);
      if (found.status === 'ready') return build.templateID;
      if (found.status === 'error') throw failed(found);
      if (performance.now() > deadline) throw unavailable('the service is still building the template');
      await pause(this.pollIntervalMs, undefined, { signal: this.#closing.signal }).catch(() => {
        this.#closing.signal.throwIfAborted();
      });
    }
  }
}

function nameOf(base: string, names: readonly string[]): string {
  const key = createHash('sha256').update(JSON.stringify([FORMAT_VERSION, base, names]));
  return `agentclash-${key.digest('hex').slice(0, 16)}`;
}

function isCalled({ templateID, names = [], aliases = [] }: E2bTemplate, wanted: string): boolean {
  return [templateID, ...names, ...aliases].some((name) => name === wanted || name.endsWith(`/${wanted}`));
}

function failed({ reason, logEntries = [] }: E2bBuild): SandboxError {
  const logLines = [...logEntries, ...(reason?.logEntries ?? [])].map(({ message }) => message);
  const log = [...logLines, reason?.message ?? ''].join('\n');
  const cause = new Error(log.trim().slice(-LOG_CHARACTERS_MAX));
  return lastingErrorIn(log, cause) ?? unavailable('the packages cannot be installed', cause);
}

function unavailable(message: string, cause?: Error): SandboxError {
  return new SandboxError('unavailable', message, { cause, fix: REGISTER_TEMPLATE });
}
