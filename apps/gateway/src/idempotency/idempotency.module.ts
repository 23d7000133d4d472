import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import { IdempotencyLoop } from './idempotency.loop.js';
import { Idempotency } from './idempotency.service.js';
import { IdempotencyStore } from './idempotency.store.js';

/** Honours `Idempotency-Key` on every route that creates. */
@Module({
  providers: [
    Idempotency,
    IdempotencyLoop,
    IdempotencyStore,
    { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
  ],
  exports: [Idempotency],
})
export class IdempotencyModule {}
