import type { Command } from 'commander';
import type { Act } from './act.js';
import { wholeNumber } from './options.js';

export function declareMcp(program: Command, act: Act): void {
  program
    .command('mcp')
    .option(
      '--http <port>',
      'serve streamable HTTP on this port of 127.0.0.1; 0: a free one',
      wholeNumber(0, 65_535),
    )
    .option('--folder <folders...>', 'files of tools may be in these folders, too; always in the current one')
    .option(
      '--secret <names...>',
      'environment variables that agents, tools and accounts of files may use as secrets; no others are seen',
    )
    .option(
      '--allow-loopback-endpoints',
      'endpoints and provider accounts of files may be on this machine, such as a local model',
    )
    .description('Serve tools for agents by MCP: validate, audit, run, scorecard, replay, compare, publish')
    .action(act(async () => (await import('../commands/mcp.js')).serveMcp));
}
