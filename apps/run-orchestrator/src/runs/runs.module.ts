import { Module } from '@nestjs/common';
import { AttemptsService } from './attempts.service.js';
import { BudgetsModule } from './budgets/budgets.module.js';
import { CommandsModule } from './commands/commands.module.js';
import { DeletionModule } from './deletion/deletion.module.js';
import { EvalPlansModule } from './eval-plans/eval-plans.module.js';
import { ExecutorsModule } from './executors/executors.module.js';
import { ModelSlotsModule } from './model-slots/model-slots.module.js';
import { PlansModule } from './plans/plans.module.js';
import { QueriesModule } from './queries/queries.module.js';
import { ReconcileModule } from './reconcile/reconcile.module.js';
import { RunCommands } from './run-commands.service.js';
import { RunsHandlers } from './runs.handlers.js';
import { RunsService } from './runs.service.js';
import { StoreModule } from './store/store.module.js';

/** The run engine. */
@Module({
  imports: [
    BudgetsModule,
    CommandsModule,
    DeletionModule,
    EvalPlansModule,
    ExecutorsModule,
    ModelSlotsModule,
    PlansModule,
    QueriesModule,
    ReconcileModule,
    StoreModule,
  ],
  controllers: [AttemptsService, RunsHandlers],
  providers: [RunCommands, RunsService],
  exports: [RunsService, StoreModule],
})
export class RunsModule {}
