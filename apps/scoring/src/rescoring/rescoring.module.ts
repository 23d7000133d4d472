import { Module } from '@nestjs/common';
import { AttemptsModule } from '../attempts/attempts.module.js';
import { EvidenceModule } from '../evidence/evidence.module.js';
import { RunsModule } from '../runs/runs.module.js';
import { StoreModule } from '../store/store.module.js';
import { RescoreRequests } from './rescore-requests.service.js';
import { RescoresStore } from './rescores.store.js';
import { RescoringLoop } from './rescoring.loop.js';
import { Rescoring } from './rescoring.service.js';

@Module({
  imports: [AttemptsModule, EvidenceModule, RunsModule, StoreModule],
  providers: [RescoreRequests, Rescoring, RescoringLoop, RescoresStore],
  exports: [RescoreRequests, Rescoring, RescoresStore],
})
export class RescoringModule {}
