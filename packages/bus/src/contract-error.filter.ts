import { ContractError } from '@agentclash/contracts';
import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  Inject,
  Injectable,
  Logger,
  Optional,
} from '@nestjs/common';
import type { BaseRpcContext } from '@nestjs/microservices';
import { type Observable, throwError } from 'rxjs';

/** Tells what is no bug although it has no code yet, such as a database that is away; undefined for a bug. */
export type FaultReader = (error: unknown) => ContractError | undefined;

/** Under this token a service may provide its `FaultReader`. */
export const FAULT_READER = Symbol('agentclash.fault-reader');

/** Lets errors with a code pass; logs everything else, with its cause, as the bug that it is. */
@Catch()
@Injectable()
export class ContractErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('bus');

  constructor(@Optional() @Inject(FAULT_READER) private readonly readFault?: FaultReader) {}

  catch(error: unknown, host: ArgumentsHost): Observable<never> {
    const fault = error instanceof ContractError ? undefined : this.readFault?.(error);
    const isBug = fault === undefined && (!(error instanceof ContractError) || error.code === 'internal');
    const [subject] = host.switchToRpc().getContext<BaseRpcContext<[string]>>().getArgs();
    if (isBug) this.logger.error({ msg: 'handler failed', subject, err: error });
    if (fault) this.logger.warn({ msg: 'cannot answer now', subject, err: error });
    return throwError(() => fault ?? error);
  }
}
