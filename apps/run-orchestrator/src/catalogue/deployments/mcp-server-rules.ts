import { secretReferences, serverHeaderProblem, serverUrlProblem } from '@agentclash/challengepack';
import type { FieldProblem, McpServer } from '@agentclash/contracts';
import { atField, commandProblems, environmentProblems, unsendable } from './literal-values.js';

/** The settings of servers that cannot work, or would send a secret to a host that it is not meant for. */
export function mcpServerProblems(servers: readonly McpServer[]): FieldProblem[] {
  return servers.flatMap((server, index) => {
    const at = `config.mcp_servers[${index}]`;
    const { command = [], env = {}, url, headers = {} } = server;
    const ofCommand = secretReferences(
      Object.fromEntries(command.entries()),
      'is passed unchanged: no secret reaches the sandbox',
    ).map((problem) => atField(problem, `${at}.command`));
    const ofUrl = url === undefined ? undefined : serverUrlProblem(url, headers);
    return [
      ...ofCommand,
      ...commandProblems(command, `${at}.command`),
      ...environmentProblems(env, `${at}.env`),
      ...(ofUrl ? [{ ...ofUrl, field: `${at}.url` }] : []),
      ...headerProblems(headers, `${at}.headers`),
    ];
  });
}

function headerProblems(headers: Readonly<Record<string, string>>, field: string): FieldProblem[] {
  const unsent = unsendable(headers, field);
  const known = new Set(unsent.map((problem) => problem.field));
  return [
    ...unsent,
    ...Object.entries(headers).flatMap(([name, value]) => {
      const problem = serverHeaderProblem(name, value);
      const location = `${field}.${name}`;
      return problem === undefined || known.has(location) ? [] : [{ ...problem, field: location }];
    }),
  ];
}
