import { Module } from '@nestjs/common';
import { ChangesModule } from '../changes/changes.module.js';
import { StoreModule } from '../store/store.module.js';
import { RunBudgetsService } from './run-budgets.service.js';

@Module({ imports: [ChangesModule, StoreModule], controllers: [RunBudgetsService] })
export class BudgetsModule {}
