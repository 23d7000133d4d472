import { Module } from '@nestjs/common';
import { CatalogueModule } from '../../catalogue/catalogue.module.js';
import { PlansModule } from '../plans/plans.module.js';
import { StoreModule } from '../store/store.module.js';
import { EvidenceService } from './evidence.service.js';
import { HistoryService } from './history.service.js';
import { LiveDeliveriesHandlers } from './live-deliveries.handlers.js';
import { TranscriptSearch } from './transcript-search.service.js';

/** Reads of histories and evidence. */
@Module({
  imports: [CatalogueModule, PlansModule, StoreModule],
  controllers: [EvidenceService, LiveDeliveriesHandlers],
  providers: [HistoryService, TranscriptSearch],
  exports: [HistoryService, TranscriptSearch],
})
export class QueriesModule {}
