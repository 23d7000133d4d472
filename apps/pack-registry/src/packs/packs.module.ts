import { Module } from '@nestjs/common';
import { ArchiveMembers } from '../archives/archive-members.js';
import { ArchiveReader } from '../archives/archive-reader.js';
import { ArtifactsModule } from '../artifacts/artifacts.module.js';
import { AuditsModule } from '../audits/audits.module.js';
import { CaseFiles } from '../case-files/case-files.js';
import { PackReader } from '../reading/pack-reader.js';
import { BuildFiles } from './build-files.source.js';
import { CasesStore } from './cases.store.js';
import { DraftsLoop } from './drafts.loop.js';
import { DraftsStore } from './drafts.store.js';
import { PackDocuments } from './pack-documents.js';
import { PacksService } from './packs.service.js';
import { PacksStore } from './packs.store.js';
import { Publishing } from './publishing.service.js';
import { UnboundSecrets } from './unbound-secrets.source.js';

@Module({
  imports: [ArtifactsModule, AuditsModule],
  controllers: [PacksService],
  providers: [
    ArchiveMembers,
    ArchiveReader,
    BuildFiles,
    CaseFiles,
    CasesStore,
    DraftsLoop,
    DraftsStore,
    PackDocuments,
    PackReader,
    PacksStore,
    Publishing,
    UnboundSecrets,
  ],
})
export class PacksModule {}
