import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { ServiceWithState } from '@agentclash/local-stack';

/** An installation of an earlier release with races that have ended: its database, its files, and its responses. */
export interface RecordedInstallation {
  release: string;
  /** By service. */
  databases: Record<ServiceWithState, RecordedTables>;
  /** By path below the data folder, in base64. */
  files: Record<string, string>;
  /** Bodies of the HTTP API by path, read as the administrator of the workspace `default`. */
  responses: Record<string, unknown>;
}

/** Rows as JSON by table, those of the applied migrations among them. */
export type RecordedTables = Record<string, unknown[]>;

export function readInstallation(file: string): RecordedInstallation {
  return JSON.parse(gunzipSync(readFileSync(file)).toString()) as RecordedInstallation;
}

export function writeInstallation(file: string, installation: RecordedInstallation): void {
  writeFileSync(file, gzipSync(JSON.stringify(installation), { level: 9 }));
}
