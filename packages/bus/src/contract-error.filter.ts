import { ContractError } from '@agentclash/contracts';
import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  Inject,
  Injectable,
  Optional,
} from '@nestjs/common';
import type { BaseRpcContext } from '@nestjs/microservices';
import { type Observable, throwError } from 'rxjs';
import { type BusLogger, LOGGER, SILENT } from './logger.js';
import { InvalidMessageError } from './message.pipe.js';

/**
 * Maps a known operational failure without a code, such as an unreachable database, to one with a code; undefined for
 * a bug.
 */
export type ErrorClassifier = (error: unknown) => ContractError | undefined;

/** The injection token under which a service may provide its `ErrorClassifier`. */
export const ERROR_CLASSIFIER = Symbol('agentclash.error-classifier');

/** Passes errors with a code to the caller; logs every other error, with its cause, as a bug. */
@Catch()
@Injectable()
export class ContractErrorFilter implements ExceptionFilter {
  constructor(
    @Optional() @Inject(ERROR_CLASSIFIER) private readonly classify?: ErrorClassifier,
    @Optional() @Inject(LOGGER) private readonly logger: BusLogger = SILENT,
  ) {}

  catch(error: unknown, host: ArgumentsHost): Observable<never> {
    const classified = error instanceof ContractError ? undefined : this.classify?.(error);
    const [subject] = host.switchToRpc().getContext<BaseRpcContext<[string]>>().getArgs();
    if (error instanceof InvalidMessageError) {
      this.logger.warn({ subject: error.subject, errors: error.details.errors }, 'message rejected');
    } else if (classified !== undefined) {
      this.logger.warn({ subject, err: error }, 'handler failed: dependency unavailable');
    } else if (!(error instanceof ContractError) || error.code === 'internal') {
      this.logger.error({ subject, err: error }, 'handler failed');
    }
    return throwError(() => classified ?? error);
  }
}
