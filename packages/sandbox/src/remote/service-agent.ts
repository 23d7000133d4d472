import { holdingEnd } from '@agentclash/egress';
import { Agent, buildConnector } from 'undici';

/**
 * Connections to a service that holds sandboxes. One that ends while its response is read slowly would otherwise end this
 * process: undici 7 throws then, past all callers.
 */
export function serviceAgent(options: buildConnector.BuildOptions = {}): Agent {
  const connect = buildConnector(options);
  return new Agent({
    connect: (request, callback) =>
      connect(request, (...[error, socket]) => {
        if (error === null) callback(null, holdingEnd(socket));
        else callback(error, null);
      }),
  });
}
