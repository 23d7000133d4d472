import { listOf, type Payload, recordOf, recordsIn, textOf } from './payload.js';

/** A tool, or a server of tools, that a version of a pack brings. */
export interface PackToolSummary {
  /** Of a server: its name followed by `__*`, as its tools begin. */
  name: string;
  description: string;
  /** The primitive or tool behind it, `mock`, or the command or URL of a server. */
  does: string;
}

/** The tools of a manifest. A newer server may have written it: unknown parts are left out. */
export function packToolsOf(manifest: Payload): PackToolSummary[] {
  const tools = recordOf(manifest.tools);
  const custom = recordsIn(tools, 'custom').map(({ name, description, implementation }) => {
    const { primitive, type } = recordOf(implementation);
    return {
      name: textOf(name),
      description: textOf(description),
      does: textOf(primitive) || textOf(type),
    };
  });
  const servers = recordsIn(tools, 'mcp_servers').map(({ name, command, url }) => ({
    name: `${textOf(name)}__*`,
    description: '',
    does: `MCP server: ${textOf(url) || listOf(command).map(textOf).join(' ')}`,
  }));
  return [...custom, ...servers];
}
