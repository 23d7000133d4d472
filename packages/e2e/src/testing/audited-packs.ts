import { readdirSync } from 'node:fs';
import path from 'node:path';
import { agentclash, repository, type StackFolder } from '../product.js';
import { guidePacks, writePack } from './guide-packs.js';

const EXAMPLES = path.join(repository, 'examples/challenge-packs');

/** The file of every pack that users see, by its name: those of the examples and of the documentation. */
export function shippedPacks(folder: StackFolder): Record<string, string> {
  const examples = readdirSync(EXAMPLES).filter((name) => name.endsWith('.yaml'));
  return {
    ...Object.fromEntries(examples.map((name) => [`examples/${name}`, path.join(EXAMPLES, name)])),
    ...Object.fromEntries(guidePacks().map((pack) => [`docs/${pack.slug}`, writePack(folder.path, pack)])),
  };
}

interface AuditSummary {
  code: number | string;
  result?: string;
  /** `SEVERITY CODE` of each finding but notes. */
  findings?: string[];
  checks?: Record<string, { state: string; summary: string }>;
  stderr: string;
}

const AUDIT_MS_MAX = 300_000;

export async function auditOf(
  folder: StackFolder,
  file: string,
  { isQuick }: { isQuick: boolean },
): Promise<AuditSummary> {
  const words = ['challenge-pack', 'audit', file, '--json', '--quiet', ...(isQuick ? ['--quick'] : [])];
  const { code, stdout, stderr } = await agentclash(words, { folder, timeoutMs: AUDIT_MS_MAX });
  if (stdout === '') return { code, stderr };
  const { result, findings = [], checks } = JSON.parse(stdout);
  const listed = findings
    .filter(({ severity }: { severity: string }) => severity !== 'note')
    .map((each: { severity: string; code: string; message: string }) => `${each.severity} ${each.code}`);
  return { code, result, findings: listed, checks, stderr };
}
