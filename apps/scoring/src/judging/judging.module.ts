import { Bus } from '@agentclash/bus';
import { BusSlots, newId } from '@agentclash/service-kit';
import { Module } from '@nestjs/common';
import { EvidenceModule } from '../evidence/evidence.module.js';
import { GradingModule } from '../grading/grading.module.js';
import { AttemptJudging } from './attempt-judging.service.js';
import { FieldSource } from './field.source.js';
import { JudgeModels } from './judge-models.js';
import { JudgeSamplesStore } from './judge-samples.store.js';
import { JudgeSampling } from './judge-sampling.service.js';
import { Judging } from './judging.service.js';
import { JudgingClaims } from './judging-claims.store.js';

@Module({
  imports: [EvidenceModule, GradingModule],
  providers: [
    Judging,
    AttemptJudging,
    JudgeSampling,
    FieldSource,
    JudgeModels,
    JudgeSamplesStore,
    JudgingClaims,
    {
      provide: BusSlots,
      useFactory: (bus: Bus) => new BusSlots(bus, `scoring-${newId()}`),
      inject: [Bus],
    },
  ],
  exports: [Judging],
})
export class JudgingModule {}
