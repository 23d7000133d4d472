import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readPack } from '@agentclash/challengepack';
import { localPack } from '@agentclash/local-attempts';
import { type BubblewrapProvider, createBubblewrapProvider } from '@agentclash/sandbox';
import { type AuditOptions, auditPack } from '../audit-pack.js';
import { type AuditContext, type CheckOutcome, QUICK_AUDIT } from '../checks/context.js';
import { checkStrength } from '../checks/strength.js';
import type { AuditedPack } from '../pack/audited-pack.js';
import { hasSolution } from '../references/solution-of-case.js';
import type { AuditReport, StrengthSummary } from '../report/report.js';
import { localTrialPorts } from '../trials/local-ports.js';
import { drawnMutants } from '../trials/plan-of.js';
import type { TrialPorts } from '../trials/ports.js';
import { TrialRunner } from '../trials/trial-runner.js';

const TRIALS_AT_ONCE = 4;

/** Audits packs in real sandboxes. */
export class AuditHarness {
  readonly errors: unknown[] = [];
  private readonly stateDir = mkdtempSync(path.join(tmpdir(), 'agentclash-audit-'));
  private provider: BubblewrapProvider | undefined;

  async open(): Promise<void> {
    chmodSync(this.stateDir, 0o755);
    this.provider = await createBubblewrapProvider({
      stateDir: this.stateDir,
      cgroupName: path.basename(this.stateDir),
    });
  }

  async close(): Promise<void> {
    await this.provider?.close();
    rmSync(this.stateDir, { recursive: true, force: true });
  }

  ports(signal?: TrialPorts['signal']): TrialPorts {
    if (!this.provider) throw new Error('the harness is not open');
    return localTrialPorts(this.provider, {
      signal: signal ?? new AbortController().signal,
      onError: (error) => this.errors.push(error),
    });
  }

  /** `files` are beside the pack, by the paths of its assets. */
  async audit(
    text: string,
    options: Partial<Omit<AuditOptions, 'ports'>> & { signal?: AbortSignal } = {},
    files: Readonly<Record<string, string>> = {},
  ): Promise<AuditReport> {
    const { signal, ...rest } = options;
    return await auditPack(await readAudited(text, files), {
      ports: this.ports(signal),
      ...{ concurrency: TRIALS_AT_ONCE, isQuick: true, version: '0.0.0' },
      ...rest,
    });
  }

  /** The check of mutants alone, of solutions that pass. */
  async strength(text: string): Promise<CheckOutcome<StrengthSummary>> {
    const pack = await readAudited(text, {});
    const ports = this.ports();
    const runner = new TrialRunner(pack, { ports, concurrency: TRIALS_AT_ONCE });
    const context: AuditContext = {
      ...{ pack, seed: pack.digest, sizes: QUICK_AUDIT, cases: pack.cases },
      hasSolution: (each) => hasSolution(pack, each),
      drawMutants: (each, most) => drawnMutants(each, { pack, ports, seed: pack.digest, most }),
      runAll: (trials) => runner.runAll(trials),
      pointsOfReply: async () => undefined,
      expect: () => {},
      isInterrupted: () => false,
    };
    return await checkStrength(context, pack.cases);
  }
}

async function readAudited(text: string, files: Readonly<Record<string, string>>): Promise<AuditedPack> {
  const { valid, pack, problems, summary } = readPack(text, { fileText: (name) => files[name] });
  if (!valid) throw new Error(problems.map(({ message, line }) => `${line}: ${message}`).join('\n'));
  return await localPack({ pack, problems, digest: summary.digest ?? '' }, async (name) => {
    const content = files[name];
    return content === undefined ? undefined : Buffer.from(content);
  });
}
