import { Bus } from '@agentclash/bus';
import { createEgress } from '@agentclash/egress';
import { Blobs, BlobsModule, BusSlots, LOGGER, type Logger, newId } from '@agentclash/service-kit';
import { type DynamicModule, Module } from '@nestjs/common';
import { AttemptScoring } from './attempts/attempt-scoring.service.js';
import { Results } from './attempts/results.js';
import { BaselinesHandlers } from './baselines/baselines.handlers.js';
import { BaselinesService } from './baselines/baselines.service.js';
import { BaselinesStore } from './baselines/baselines.store.js';
import { ComparisonsHandlers, ComparisonsService } from './comparisons/comparisons.service.js';
import { ComparisonsStore } from './comparisons/comparisons.store.js';
import type { Config } from './config.js';
import { EvidenceSource } from './evidence/evidence.source.js';
import { FailuresStore } from './failures/failures.store.js';
import { GateDecisionsStore } from './gates/gate-decisions.store.js';
import { GatePoliciesHandlers } from './gates/gate-policies.handlers.js';
import { GatePoliciesService } from './gates/gate-policies.service.js';
import { GatePoliciesStore } from './gates/gate-policies.store.js';
import { GatesService } from './gates/gates.service.js';
import { GRADING_TIMES, Grader, type GraderLimits } from './grading/grader.js';
import { AttemptJudging } from './judging/attempt-judging.service.js';
import { FieldSource } from './judging/field.source.js';
import { EGRESS, JudgeModels, READ_VARIABLE } from './judging/judge-models.js';
import { JudgeSamplesStore } from './judging/judge-samples.store.js';
import { JudgeSampling } from './judging/judge-sampling.service.js';
import { Judging } from './judging/judging.service.js';
import { JudgingClaims } from './judging/judging-claims.store.js';
import { RemovedRuns } from './removal/removed-runs.store.js';
import { ScoredRunsHandlers } from './removal/scored-runs.handlers.js';
import { RescoresStore } from './rescoring/rescores.store.js';
import { RescoringLoop } from './rescoring/rescoring.loop.js';
import { Rescoring } from './rescoring/rescoring.service.js';
import { RunScoring } from './runs/run-scoring.service.js';
import { RunsSource } from './runs/runs.source.js';
import { ScorecardsService } from './scorecards/scorecards.service.js';
import { ScoringJobsHandlers } from './scorecards/scoring-jobs.handlers.js';
import { ScorecardsStore } from './store/scorecards.store.js';
import { SEARCH_LIMITS, WorkspaceSearch } from './workspaces/workspace-search.service.js';

const HANDLERS = [
  ...[ScorecardsService, ScoringJobsHandlers, ScoredRunsHandlers],
  ...[ComparisonsHandlers, BaselinesHandlers, GatePoliciesHandlers, GatesService],
];

@Module({})
export class AppModule {
  static with(config: Config): DynamicModule {
    return {
      module: AppModule,
      imports: [BlobsModule.with(config.blobs)],
      controllers: HANDLERS,
      providers: [
        { provide: Grader, useFactory: () => new Grader(graderLimits(config)) },
        {
          provide: WorkspaceSearch,
          useFactory: (blobs: Blobs, logger: Logger) =>
            new WorkspaceSearch(blobs, logger, { ...SEARCH_LIMITS, threads: config.SCORING_THREADS }),
          inject: [Blobs, LOGGER],
        },
        {
          provide: BusSlots,
          useFactory: (bus: Bus) => new BusSlots(bus, `scoring-${newId()}`),
          inject: [Bus],
        },
        { provide: EGRESS, useFactory: () => createEgress({ settings: config.egress }) },
        { provide: READ_VARIABLE, useValue: config.readVariable },
        ...[
          Judging,
          AttemptJudging,
          JudgeSampling,
          FieldSource,
          JudgeModels,
          JudgeSamplesStore,
          JudgingClaims,
        ],
        ...[EvidenceSource, AttemptScoring, Results, RunScoring],
        ...[Rescoring, RescoringLoop, RescoresStore, ScorecardsStore],
        ...[FailuresStore, RemovedRuns],
        ...[RunsSource, ComparisonsService, ComparisonsStore, BaselinesService, BaselinesStore],
        ...[GatePoliciesService, GatePoliciesStore, GateDecisionsStore],
      ],
    };
  }
}

function graderLimits({ SCORING_THREADS, SCORING_THREAD_MIB }: Config): GraderLimits {
  return { ...GRADING_TIMES, threads: SCORING_THREADS, memoryMib: SCORING_THREAD_MIB };
}
