import { Bus, BusConnection, BusServer, Handles, type Serves } from '@agentclash/bus';
import { type Manifest, manifestOf, openPack, storedCases } from '@agentclash/challengepack';
import { artifacts, auditJobs, auditLeases, ContractError, type In, packs } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { waitFor } from '@agentclash/testkit';
import { type INestMicroservice, Inject, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

type End = In<typeof auditLeases.finish>['end'];

/** An audit that the registry knows, and what its executor reported. */
export class KnownAudit {
  readonly id = newId();
  readonly workspaceId = newId();
  readonly versionId = newId();
  readonly ends: End[] = [];
  readonly progress: NonNullable<In<typeof auditLeases.renew>['progress']>[] = [];
  fate: 'held' | 'cancelled' | 'lost' = 'held';
  delivery = 0;

  constructor(
    readonly document: string,
    readonly manifest: Manifest,
    /** So many reads of its version find the registry unavailable. */
    public unavailableReads: number,
  ) {}
}

class Audits extends Map<string, KnownAudit> {
  find({ audit_id }: { audit_id: string }): KnownAudit {
    const found = this.get(audit_id);
    if (found === undefined) throw new Error(`unknown audit ${audit_id}`);
    return found;
  }

  ofVersion({ version_id }: { version_id: string }): KnownAudit {
    const found = [...this.values()].find(({ versionId }) => versionId === version_id);
    if (found === undefined) throw new Error(`unknown version ${version_id}`);
    return found;
  }
}

@Handles(auditLeases)
class FakeAuditLeases implements Serves<typeof auditLeases> {
  constructor(@Inject(Audits) private readonly audits: Audits) {}

  claim(request: In<typeof auditLeases.claim>) {
    const audit = this.audits.find(request);
    audit.delivery += 1;
    const { workspaceId, versionId, manifest, delivery } = audit;
    return {
      audit: {
        ...{ workspace_id: workspaceId, version_id: versionId, delivery },
        ...{ slug: manifest.pack.slug, version_number: 1, digest: 'd'.repeat(64), quick: true, seed: null },
      },
    };
  }

  renew({ progress, ...request }: In<typeof auditLeases.renew>) {
    const audit = this.audits.find(request);
    if (progress) audit.progress.push(progress);
    return { fate: audit.fate };
  }

  finish({ end, ...request }: In<typeof auditLeases.finish>) {
    this.audits.find(request).ends.push(end);
    return { accepted: true };
  }
}

const READ = {
  manifest: packs.manifest,
  bundle: packs.bundle,
  validate: packs.validate,
  caseKeys: packs.caseKeys,
  casesByKey: packs.casesByKey,
  getMany: artifacts.getMany,
};

@Handles(READ)
class FakePacks implements Serves<typeof READ> {
  constructor(@Inject(Audits) private readonly audits: Audits) {}

  manifest(request: In<typeof packs.manifest>) {
    const audit = this.audits.ofVersion(request);
    if (audit.unavailableReads > 0) {
      audit.unavailableReads -= 1;
      throw new ContractError('unavailable', 'The database is unavailable. Try again shortly.');
    }
    return { digest: 'd'.repeat(64), manifest: { ...audit.manifest } };
  }

  bundle(request: In<typeof packs.bundle>) {
    const { document } = this.audits.ofVersion(request);
    return { document_base64: Buffer.from(document).toString('base64') };
  }

  validate({ document_base64 }: In<typeof packs.validate>) {
    const { valid, problems } = openPack(Buffer.from(document_base64, 'base64')).end();
    const summary = { slug: null, number: null, execution_mode: null, challenges: null, input_sets: null };
    return {
      valid,
      errors: [],
      warnings: problems,
      summary: { ...summary, cases: null, tools: null, digest: null },
    };
  }

  caseKeys(request: In<typeof packs.caseKeys>) {
    const items = this.rowsOf(request).map((row) => ({ ...row, phases: [] }));
    return { items, has_more: false };
  }

  /** One case a reply, as if they were large. */
  casesByKey({ case_keys, ...request }: In<typeof packs.casesByKey>) {
    const [key = '', ...rest] = case_keys;
    const items = this.rowsOf(request).filter((row) => row.case_key === key);
    return { items, rest };
  }

  getMany() {
    return { items: [] };
  }

  private rowsOf(request: { version_id: string; input_set_key: string }) {
    const { manifest } = this.audits.ofVersion(request);
    return storedCases(manifest)
      .filter(({ input_set_key: key }) => key === request.input_set_key)
      .map((row) => ({ ...row, document: { ...row.document } }));
  }
}

@Module({})
class FakeRegistryModule {}

/** The registry as executors of audits see it, in memory. */
export class FakeRegistry {
  private constructor(
    private readonly app: INestMicroservice,
    private readonly connection: BusConnection,
    private readonly audits: Audits,
  ) {}

  static async open(natsUrl: string): Promise<FakeRegistry> {
    const connection = await BusConnection.open({ servers: [natsUrl], name: 'pack-registry' });
    const audits = new Audits();
    const app = await NestFactory.createMicroservice(
      {
        module: FakeRegistryModule,
        controllers: [FakeAuditLeases, FakePacks],
        providers: [{ provide: Audits, useValue: audits }],
      },
      { strategy: new BusServer(connection, { concurrency: 8 }), logger: false },
    );
    await app.listen();
    return new FakeRegistry(app, connection, audits);
  }

  /** Publishes a document and sends the job of its audit. */
  async audit(document: string, { unavailableReads = 0 } = {}): Promise<KnownAudit> {
    const { pack, problems, valid } = openPack(Buffer.from(document)).end();
    if (!valid) throw new Error(JSON.stringify(problems));
    const audit = new KnownAudit(document, manifestOf(pack), unavailableReads);
    this.audits.set(audit.id, audit);
    await new Bus(this.connection).send(auditJobs.run, { audit_id: audit.id }, `audit:${audit.id}`);
    return audit;
  }

  /** The end that the executor reported. */
  async ended(audit: KnownAudit): Promise<End> {
    return await waitFor(() => audit.ends[0], { timeoutMs: 180_000 });
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.connection.close();
  }
}
