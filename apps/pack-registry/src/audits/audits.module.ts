import { Module } from '@nestjs/common';
import { AuditLoop } from './audit.loop.js';
import { AuditLeasesService } from './audit-leases.service.js';
import { AuditPoliciesStore } from './audit-policies.store.js';
import { AuditWorkStore } from './audit-work.store.js';
import { AuditsService } from './audits.service.js';
import { AuditsStore } from './audits.store.js';

/** Audits of published versions: who requested them, who runs them, what came out. */
@Module({
  controllers: [AuditsService, AuditLeasesService],
  providers: [AuditLoop, AuditPoliciesStore, AuditsStore, AuditWorkStore],
  exports: [AuditPoliciesStore],
})
export class AuditsModule {}
