import { Module } from '@nestjs/common';
import { ComparisonsModule } from '../comparisons/comparisons.module.js';
import { GateAnnouncements } from './gate-announcements.js';
import { GateDecisionsStore } from './gate-decisions.store.js';
import { GatePoliciesService } from './gate-policies.service.js';
import { GatePoliciesStore } from './gate-policies.store.js';
import { GatePolicyResolver } from './gate-policy-resolver.js';
import { GatesService } from './gates.service.js';

/** Gate policies, and decisions by them. */
@Module({
  imports: [ComparisonsModule],
  controllers: [GatePoliciesService, GatesService],
  providers: [GateAnnouncements, GateDecisionsStore, GatePoliciesStore, GatePolicyResolver],
})
export class GatesModule {}
