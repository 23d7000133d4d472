import { Module } from '@nestjs/common';
import { ChangesModule } from '../changes/changes.module.js';
import { CommandsModule } from '../commands/commands.module.js';
import { ModelSlotsModule } from '../model-slots/model-slots.module.js';
import { StoreModule } from '../store/store.module.js';
import { ReconcileLoop, Repairs } from './reconcile.loop.js';

@Module({
  imports: [ChangesModule, CommandsModule, ModelSlotsModule, StoreModule],
  providers: [ReconcileLoop, Repairs],
})
export class ReconcileModule {}
