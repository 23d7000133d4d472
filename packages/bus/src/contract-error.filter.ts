import { ContractError } from '@agentclash/contracts';
import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { BaseRpcContext } from '@nestjs/microservices';
import { type Observable, throwError } from 'rxjs';

/** Lets errors with a code pass; logs everything else, with its cause, as the bug that it is. */
@Catch()
export class ContractErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('bus');

  catch(error: unknown, host: ArgumentsHost): Observable<never> {
    const isBug = !(error instanceof ContractError) || error.code === 'internal';
    if (isBug) {
      const [subject] = host.switchToRpc().getContext<BaseRpcContext<[string]>>().getArgs();
      this.logger.error({ msg: 'handler failed', subject, err: error });
    }
    return throwError(() => error);
  }
}
