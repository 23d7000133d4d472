import { Module } from '@nestjs/common';
import { CapacityModule } from '../attempts/capacity/capacity.module.js';
import { AuditPorts } from './audit-ports.js';
import { AuditedVersions } from './audited-versions.js';
import { AuditsService } from './audits.service.js';
import { TrialSlots } from './trial-slots.js';

/** Audits of published versions, beside the attempts of this executor. */
@Module({
  imports: [CapacityModule],
  controllers: [AuditsService],
  providers: [AuditedVersions, AuditPorts, TrialSlots],
})
export class AuditsModule {}
