import { Module } from '@nestjs/common';
import { ModelSlotsService } from './model-slots.service.js';
import { ModelSlotsStore } from './model-slots.store.js';

@Module({
  controllers: [ModelSlotsService],
  providers: [ModelSlotsStore],
  exports: [ModelSlotsStore],
})
export class ModelSlotsModule {}
