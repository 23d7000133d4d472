import { randomUUID } from 'node:crypto';
import { type Client, createClient, routes } from '@agentclash/api';
import { addBusApiUser, loadCredentials, openLayout } from '@agentclash/local-stack';
import { Product, StackFolder } from '../product.js';
import { stackProcesses } from '../testing/processes.js';
import { ApiProbe, type ProbeReport } from './api-probe.js';
import type { Attack, Outcomes, Scale } from './attacks/attack.js';
import { outcomeViolations } from './attacks/attack.js';
import { type Verdicts, Victim, type VictimRun } from './victim.js';

/** One run of the victim, with what its API did meanwhile. */
export interface Observed extends VictimRun {
  api: ProbeReport;
  /** Violations that do not depend on the speed of the machine; empty when there are none. */
  violations: readonly string[];
}

/** The same under an attack; what the attacker must not get is a violation too. */
export interface Attacked extends Observed {
  outcomes: Outcomes;
}

const BUS_USER = 'flood';
const CALL_MS_MAX = 120_000;

/** An embedded stack of its own with two workspaces: one attacks, the other works. */
export class Tenants {
  private constructor(
    private readonly product: Product,
    private readonly victim: Victim,
    private readonly victimToken: string,
    private readonly attacker: { client: Client; token: string; busWorkspaceId: string; busPassword: string },
    private readonly verdicts: Verdicts,
  ) {}

  /** Starts everything and runs the victim's run twice, so that what is measured is warm. */
  static async open(): Promise<Tenants> {
    const folder = new StackFolder();
    const busWorkspaceId = randomUUID();
    await loadCredentials(await openLayout(folder.data), true);
    const { password } = await addBusApiUser(folder.data, { user: BUS_USER, workspaceId: busWorkspaceId });
    let product: Product | undefined;
    try {
      product = await Product.start(folder, { STACK_PROCESSES: '2' });
      const attacker = await tenantOf(product, 'attacker');
      const { client, token } = await tenantOf(product, 'victim');
      const victim = await Victim.open(client);
      const { verdicts } = await victim.run();
      await victim.run();
      const login = { ...attacker, busWorkspaceId, busPassword: password };
      return new Tenants(product, victim, token, login, verdicts);
    } catch (error) {
      await product?.stop();
      folder.remove();
      throw error;
    }
  }

  /** One run of the victim that nothing disturbs. */
  async alone(): Promise<Observed> {
    return await this.observed('alone');
  }

  /** One run of the victim while the other workspace attacks. */
  async under(attack: Attack, scale: Scale): Promise<Attacked> {
    const before = stackProcesses(this.product.state.pid);
    const running = await attack.start(this.site(scale));
    let observed: Observed;
    let outcomes: Outcomes = {};
    try {
      observed = await this.observed('under attack');
    } finally {
      outcomes = await running.end();
    }
    const after = stackProcesses(this.product.state.pid);
    const isSame = after.join() === before.join();
    const violations = [
      ...observed.violations,
      ...outcomeViolations(attack, outcomes),
      ...(isSame ? [] : [`the processes of the stack were ${before} and are ${after}`]),
    ];
    return { ...observed, outcomes, violations };
  }

  async close(): Promise<void> {
    await this.product.stop();
    this.product.folder.remove();
  }

  private site(scale: Scale) {
    const { client, token, busWorkspaceId, busPassword } = this.attacker;
    const { url, natsPort } = this.product.state;
    const bus = {
      url: `nats://127.0.0.1:${natsPort}`,
      user: BUS_USER,
      password: busPassword,
      workspaceId: busWorkspaceId,
    };
    return { client, token, workspace: 'attacker', url, bus, scale };
  }

  private async observed(when: string): Promise<Observed> {
    const api = { url: this.product.state.url, token: this.victimToken, workspace: 'victim' };
    const probe = new ApiProbe(api);
    const run = await this.victim.run().catch(async (error: unknown) => {
      await probe.end();
      throw error;
    });
    const report = await probe.end();
    const failures = Object.entries(report.failures).map(([what, times]) => `${when}: ${what} (${times})`);
    const { verdicts } = run;
    const isSame = JSON.stringify(verdicts) === JSON.stringify(this.verdicts);
    const differ = isSame ? [] : [`${when}: the victim's verdicts differ: ${JSON.stringify(verdicts)}`];
    return { ...run, api: report, violations: [...failures, ...differ] };
  }
}

async function tenantOf(product: Product, slug: string): Promise<{ client: Client; token: string }> {
  const { operatorToken } = await loadCredentials(await openLayout(product.folder.data), false);
  const common = { baseUrl: product.state.url, workspace: slug, timeoutMs: CALL_MS_MAX };
  const operator = createClient({ ...common, token: operatorToken });
  await operator.call(routes.workspaces.create, { body: { slug } });
  const { token } = await operator.call(routes.tokens.create, { body: { name: slug, role: 'admin' } });
  return { client: createClient({ ...common, token }), token };
}
