import type { Route } from '@agentclash/api';
import { LOGGER, type Logger, PeriodicTask } from '@agentclash/service-kit';
import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  Module,
  type NestInterceptor,
} from '@nestjs/common';
import { APP_INTERCEPTOR, Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { from, lastValueFrom, map, type Observable } from 'rxjs';
import { RouteResponse } from '../http/route-response.js';
import { ROUTE } from '../http/serves-routes.js';
import { fingerprintOf, Idempotency, idempotencyKey } from './idempotency.service.js';
import { IdempotencyStore } from './idempotency.store.js';

/** Honours `Idempotency-Key` on routes that create. Handlers of forms do so themselves, once the bytes are known. */
@Injectable()
class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly idempotency: Idempotency,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const route = this.reflector.get<Route>(ROUTE, context.getHandler());
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { caller } = request;
    const isForm = route.body === 'upload' || (route.body === 'pack' && request.isMultipart());
    if (!route.creates || isForm || caller === undefined) return next.handle();
    const key = idempotencyKey(request);
    if (key === undefined) return next.handle();
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const fingerprint = fingerprintOf(caller, request.method, request.url, body);
    const once = this.idempotency.once({ caller, key, fingerprint }, async () => {
      const response: unknown = await lastValueFrom(next.handle());
      return response instanceof RouteResponse
        ? { status: response.options.status ?? route.status, body: response.content }
        : { status: route.status, body: response };
    });
    return from(once).pipe(
      map(({ status, body, isRepeat }) => {
        const headers: Record<string, string> = isRepeat ? { 'idempotency-replayed': 'true' } : {};
        return new RouteResponse(body as object, { status, headers });
      }),
    );
  }
}

const EVERY_MS = 3_600_000;
const RETENTION_MS = 48 * 3_600_000;

/** Deletes expired idempotency keys. */
@Injectable()
class IdempotencyLoop extends PeriodicTask {
  constructor(store: IdempotencyStore, @Inject(LOGGER) logger: Logger) {
    super({
      run: () => store.deleteBefore(new Date(Date.now() - RETENTION_MS)),
      everyMs: EVERY_MS,
      failureMessage: 'expired idempotency keys were not deleted',
      logger,
    });
  }
}

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
