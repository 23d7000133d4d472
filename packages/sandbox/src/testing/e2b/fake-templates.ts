import type { IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import type { SandboxProvider } from '../../contract.js';
import type { E2bBuild, E2bTemplate } from '../../e2b/api.js';

interface Template extends Omit<E2bTemplate, 'buildStatus'>, E2bBuild {
  names: readonly string[];
  packages: readonly string[];
}

interface BuildOrder {
  fromTemplate: string;
  steps: { type: string; args: [command: string, user: string] }[];
}

const LIMITS = { cpu: 1, memoryBytes: 64 << 20, pids: 32, workspaceBytes: 1 << 20 };

/** The templates of an account. What a build installs, the other provider has to install really. */
export class FakeTemplates {
  readonly all: Template[] = [
    { templateID: 'base', names: [], packages: [], status: 'ready', cpuCount: 4, memoryMB: 2048 },
  ];
  /** The commands of all builds. */
  readonly commands: string[] = [];
  /** Why no build succeeds; absent when they may. */
  trouble: string | undefined;

  constructor(
    private readonly provider: SandboxProvider,
    /** The template of the other provider that every request gets. */
    private readonly image: string | undefined,
  ) {}

  find(id: string): Template | undefined {
    return this.all.find(({ templateID, names }) => templateID === id || names.includes(id));
  }

  /** The response to a request about templates. */
  async handle(request: IncomingMessage, { pathname }: URL): Promise<unknown> {
    if (pathname === '/v2/templates') return this.all.map((each) => ({ ...each, buildStatus: each.status }));
    if (pathname === '/v3/templates') return this.#name((await json(request)) as never);
    const template = this.find(/templates\/([^/]+)\/builds/.exec(pathname)?.[1] ?? '');
    if (!template || request.method === 'GET') return template && { ...template, logEntries: [] };
    void this.#build(template, (await json(request)) as BuildOrder);
    return {};
  }

  #name({ name, ...size }: Pick<E2bTemplate, 'cpuCount' | 'memoryMB'> & { name: string }) {
    const templateID = `id-of-${this.all.length}`;
    const known = this.all.filter(({ names }) => !names.includes(`account/${name}`));
    const made: Template = {
      templateID,
      names: [`account/${name}`],
      packages: [],
      status: 'waiting',
      ...size,
    };
    this.all.splice(0, Number.POSITIVE_INFINITY, ...known, made);
    return { templateID, buildID: 'the-first' };
  }

  async #build(template: Template, { fromTemplate, steps }: BuildOrder): Promise<void> {
    const [command = '', user] = steps[0]?.args ?? [];
    this.commands.push(command);
    const wanted = command.split(' -- ')[1]?.split(' ') ?? [];
    const packages = [...(this.find(fromTemplate)?.packages ?? []), ...wanted];
    try {
      if (user !== 'root') throw new Error('are you root?');
      if (this.trouble !== undefined) throw new Error(this.trouble);
      const spec = { limits: LIMITS, labels: { runId: 'build', attemptId: template.templateID }, packages };
      const machine = await this.provider.create({ ...spec, ...(this.image && { template: this.image }) });
      await machine.destroy();
      Object.assign(template, { status: 'ready', packages });
    } catch (error) {
      const { cause = error } = error as Error;
      const { stderr = '' } = cause as { stderr?: string };
      const logEntries = stderr.split('\n').map((message) => ({ message }));
      Object.assign(template, { status: 'error', reason: { message: `step 1: ${error}`, logEntries } });
    }
  }
}
