import { Bus } from '@agentclash/bus';
import { AttemptJudging, Grader, JudgeSampling } from '@agentclash/run-scoring';
import { BusSlots, newId } from '@agentclash/service-kit';
import { Module } from '@nestjs/common';
import { EvidenceModule } from '../evidence/evidence.module.js';
import { GradingModule } from '../grading/grading.module.js';
import { FieldSource } from './field.source.js';
import { VaultJudgeModels } from './judge-models.js';
import { JudgeSamplesStore } from './judge-samples.store.js';
import { Judging } from './judging.service.js';
import { JudgingClaims } from './judging-claims.store.js';

@Module({
  imports: [EvidenceModule, GradingModule],
  providers: [
    Judging,
    {
      provide: AttemptJudging,
      useFactory: (models: VaultJudgeModels, samples: JudgeSamplesStore, grader: Grader) =>
        new AttemptJudging(new JudgeSampling(models, samples, grader), samples),
      inject: [VaultJudgeModels, JudgeSamplesStore, Grader],
    },
    FieldSource,
    VaultJudgeModels,
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
