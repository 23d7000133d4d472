import { numberIn, type Payload, recordsIn, textOf } from './payload.js';

/** Why the broker made no call for a program's request; the beginning of a sentence. */
const REFUSED: Readonly<Record<string, string>> = {
  token: 'a request without the token of the attempt',
  route: 'a request for an address that the broker does not serve',
  too_large: 'a request that is larger than a request may be',
  invalid_body: 'a request whose body is no JSON object',
  server_feature: 'a request for a feature that the provider would execute itself',
  wire: 'a request in an API that the account of the model does not serve',
  limit: 'a request beyond a limit of the attempt',
  ended: 'a request after no further call could be made',
  connections: 'a connection beyond those that a program may have',
};

/** A sentence on the requests of a program that led to no call, as `model.call.refused` records them. */
export function refusedCallText(payload: Payload): string {
  const reason = textOf(payload.reason);
  const feature = textOf(payload.feature);
  const path = textOf(payload.path);
  const what = REFUSED[reason] ?? `a request (${reason})`;
  const detail = feature === '' ? '' : `: ${feature}${path && ` at ${path}`}`;
  const count = numberIn(payload, 'count');
  const more = count === undefined ? '' : `, and ${count} more like it`;
  return `The broker refused ${what}${detail}${more}.`;
}

/** A sentence on the parts that were removed from a program's request, as `model.call.restricted` records them. */
export function restrictedCallText(payload: Payload): string {
  const removed = recordsIn(payload, 'removed').map(
    ({ feature, path }) => `${textOf(feature)} at ${textOf(path)}`,
  );
  return `Removed from the request, since the provider would execute it itself: ${removed.join(', ')}.`;
}

/** A sentence on the tools of an MCP server, as `tool.server.listed` records them. */
export function listedServerText(payload: Payload): string {
  const server = textOf(payload.server);
  const requires = textOf(payload.not_admitted);
  if (requires !== '')
    return `The policy does not admit the server ${server}: it needs the kind ${requires}.`;
  const names = recordsIn(payload, 'tools').map(({ name }) => textOf(name));
  return `The server ${server} lists ${names.length === 0 ? 'no tools' : names.join(', ')}.`;
}

/** A sentence on a model call that failed, with its model, status and class. */
export function failedCallText(payload: Payload): string {
  const model = textOf(payload.model);
  const status = numberIn(payload, 'status');
  const tries = numberIn(payload, 'tries') ?? 1;
  const facts = [
    status !== undefined && `status ${status}`,
    textOf(payload.class),
    tries > 1 && `${tries} tries`,
  ].filter(Boolean);
  const of = model === '' ? '' : ` of ${model}`;
  const message = textOf(payload.message);
  const text = `The call${of} failed (${facts.join(', ')})${message && `: ${message}`}.`;
  return payload.caused_by_request === true
    ? `${text} The provider refuses this request only: the error was passed to the program.`
    : text;
}
