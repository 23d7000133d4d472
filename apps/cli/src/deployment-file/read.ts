import { membersAt } from '@agentclash/api';
import { nearestName } from '@agentclash/challengepack';
import { isRecord } from '@agentclash/domain';
import { z } from 'zod';
import { KIND_NAMES, type KindName, listNameOf } from '../resources/kind-names.js';
import { KINDS } from '../resources/kinds.js';
import type { Problem } from '../yaml/problem-line.js';
import { type FieldPath, YamlFile } from '../yaml/yaml-file.js';
import { authoredPath, bodyOf, namesAt, type Reference } from './body-of.js';
import { problemsOf } from './issues.js';
import { urlProblems } from './url-problems.js';

/** A resource that the file describes, whether or not the description is right. */
export interface Described {
  kind: KindName;
  name: string;
  references: readonly Reference[];
  at: FieldPath;
}

/** One that is described rightly. */
export interface Entry extends Described {
  /** Of create and update; names are replaced by ids later. */
  body: unknown;
}

export interface DeploymentFile {
  source: YamlFile;
  /** In the order in which they are made. */
  entries: readonly Entry[];
  /** These and those with problems of their own: what they name can be looked up all the same. */
  described: readonly Described[];
  /** All problems; with any, the rest is incomplete. */
  problems: readonly Problem[];
}

const LISTS: readonly string[] = KIND_NAMES.map(listNameOf);

/** Reads a deployment file: any of the lists, or one resource of the given kind alone. */
export function readDeploymentFile(text: string, alone: KindName = 'deployment'): DeploymentFile {
  const source = new YamlFile(text);
  const reading = new Reading(source);
  if (source.problems.length > 0) return reading.result(source.problems);
  const root = source.value;
  if (!isRecord(root)) {
    const message = `must be a map: ${LISTS.join(', ')}, or one ${KINDS[alone].noun}`;
    return reading.result([source.problemAt([], { code: 'type_mismatch', message })]);
  }
  if (Object.hasOwn(root, 'name') || Object.hasOwn(root, 'kind')) reading.entry(alone, root, []);
  else reading.lists(root);
  return reading.result();
}

class Reading {
  private readonly entries: Entry[] = [];
  private readonly described: Described[] = [];
  private readonly problems: Problem[] = [];

  constructor(private readonly source: YamlFile) {}

  result(fatal: readonly Problem[] = []): DeploymentFile {
    return {
      source: this.source,
      entries: this.entries,
      described: this.described,
      problems: inOrder([...fatal, ...this.problems]),
    };
  }

  lists(root: Record<string, unknown>): void {
    for (const key of Object.keys(root)) {
      if (key.startsWith('x-') || LISTS.includes(key)) continue;
      const suggestion = nearestName(key, LISTS);
      const holds = `deployment file holds ${LISTS.join(', ')}`;
      const hint = suggestion === undefined ? `: a ${holds}` : `; did you mean ${suggestion}? A ${holds}`;
      const problem = {
        code: 'unknown_key',
        message: `is not known here${hint}`,
        ...(suggestion && { suggestion }),
      };
      this.problems.push(this.source.problemAt([key], problem, 'key'));
    }
    for (const kind of KIND_NAMES) this.list(kind, root[listNameOf(kind)]);
  }

  entry(kind: KindName, authored: unknown, at: FieldPath): void {
    const { spec, links } = KINDS[kind];
    const { body: unchecked, references } = bodyOf(withoutKey(authored), links);
    const checked = spec.safeParse(unchecked);
    const { success } = checked;
    const written = isRecord(authored) && typeof authored.name === 'string' ? authored.name.trim() : '';
    this.described.push({ kind, name: written, references, at });
    this.problems.push(...urlProblems({ kind, authored, at }, this.source));
    if (success) {
      const body: unknown = checked.data;
      const name = isRecord(body) ? String(body.name) : '';
      this.entries.push({ kind, name, body, references, at });
    } else {
      this.problems.push(
        ...this.problemsOf(checked, kind, at),
        ...this.problemsOfNearest(kind, unchecked, at),
      );
    }
    this.refuseKey(authored, at);
  }

  private list(kind: KindName, value: unknown): void {
    const key = listNameOf(kind);
    if (value === undefined || value === null) return;
    if (!Array.isArray(value)) {
      this.problems.push(this.source.problemAt([key], { code: 'type_mismatch', message: 'must be a list' }));
      return;
    }
    const seen = new Set<unknown>();
    value.forEach((authored: unknown, index) => {
      const at = [key, index];
      const name = isRecord(authored) ? authored.name : undefined;
      if (name !== undefined && seen.has(name)) {
        const problem = { code: 'not_unique', message: 'repeats an earlier name' };
        this.problems.push(this.source.problemAt([...at, 'name'], problem));
      }
      seen.add(name);
      this.entry(kind, authored, at);
    });
  }

  private problemsOf(parsed: z.ZodSafeParseError<unknown>, kind: KindName, base: FieldPath): Problem[] {
    const { spec, links } = KINDS[kind];
    const authored = authoredPath(links, this.source, base);
    const known = (path: FieldPath) => [...membersAt(spec, path), ...namesAt(links, path)];
    return problemsOf(parsed, { file: this.source, base, authored, known, nearest: nearestName });
  }

  /** A kind that is misspelt hides the entry's other problems: they are those of the nearest kind. */
  private problemsOfNearest(kind: KindName, body: unknown, at: FieldPath): Problem[] {
    const { spec } = KINDS[kind];
    if (!(spec instanceof z.ZodDiscriminatedUnion) || !isRecord(body)) return [];
    const member = spec.def.discriminator;
    const written = body[member];
    const nearest = typeof written === 'string' ? nearestName(written, valuesOf(spec, member)) : undefined;
    if (nearest === undefined || nearest === written) return [];
    const corrected = spec.safeParse({ ...body, [member]: nearest });
    return corrected.success ? [] : this.problemsOf(corrected, kind, at);
  }

  private refuseKey(authored: unknown, at: FieldPath): void {
    if (!isRecord(authored) || !Object.hasOwn(authored, API_KEY)) return;
    const message =
      'does not belong into a file: agentclash secret set <KEY> keeps it, and credential_reference: "workspace-secret://<KEY>" names it';
    this.problems.push(this.source.problemAt([...at, API_KEY], { code: 'key_in_file', message }, 'key'));
  }
}

const API_KEY = 'api_key';

/** The key itself is reported with advice, not as something unknown. */
function withoutKey(authored: unknown): unknown {
  if (!isRecord(authored)) return authored;
  const { [API_KEY]: _key, ...rest } = authored;
  return rest;
}

/** The permitted values of a discriminated union's member. */
function valuesOf({ options }: z.ZodDiscriminatedUnion, member: string): string[] {
  return options.flatMap((option) => {
    const values = option instanceof z.ZodObject ? option.shape[member] : undefined;
    return values instanceof z.ZodLiteral ? [...values.values].map(String) : [];
  });
}

export function inOrder(problems: readonly Problem[]): Problem[] {
  return [...problems].sort((left, right) => left.line - right.line || left.column - right.column);
}
