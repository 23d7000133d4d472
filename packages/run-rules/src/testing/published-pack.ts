import { digestOf, type Manifest, manifestOf, readPack } from '@agentclash/challengepack';
import type { InputSet, PackVersion } from '@agentclash/contracts';
import { v7 as newId } from 'uuid';

/** A pack as the registry holds it after publishing. */
export interface PublishedPack {
  version: PackVersion;
  manifest: Manifest;
  inputSets: InputSet[];
}

export function publish(source: string): PublishedPack {
  const reading = readPack(source);
  if (!reading.valid) throw new Error(`the test's pack is not valid: ${JSON.stringify(reading.problems)}`);
  const manifest = manifestOf(reading.pack);
  const { slug, name } = manifest.pack;
  const version: PackVersion = {
    id: newId(),
    challenge_pack_id: newId(),
    slug,
    name,
    version_number: manifest.version.number,
    digest: digestOf(manifest),
    execution_mode: manifest.version.execution_mode,
    lifecycle_status: 'runnable',
    evaluation_spec_id: newId(),
    bundle_artifact_id: null,
    summary: reading.summary,
    published_at: new Date().toISOString(),
    published_by: 'tests',
  };
  const inputSets = manifest.input_sets.map(
    (set): InputSet => ({
      id: newId(),
      key: set.key,
      name: set.name,
      description: set.description ?? null,
      challenge_key: set.cases?.[0]?.challenge_key ?? '',
      challenge_keys: [...new Set(set.cases?.map(({ challenge_key }) => challenge_key))],
      case_count: set.cases?.length ?? 0,
    }),
  );
  return { version, manifest, inputSets };
}

/** A pack of `native` mode whose cases echo a word; `extra` goes below `version`. */
export function wordPack(
  cases: number,
  options: { slug?: string; version?: string; rest?: string } = {},
): string {
  const { slug = 'words', version = '', rest = '' } = options;
  const rows = Array.from(
    { length: cases },
    (_, index) =>
      `      - {challenge_key: repeat, case_key: case-${index + 1}, payload: {word: w${index + 1}}, expectations: [{key: word, kind: text, value: w${index + 1}}]}`,
  );
  return `pack: {slug: ${slug}, name: Words, family: words}
version:
  number: 1
${version}  evaluation_spec:
    name: words
    version_number: 1
    judge_mode: deterministic
    validators:
      - {key: exact, type: exact_match, target: final_output, expected_from: case.expectations.word}
    scorecard: {dimensions: [correctness], pass_threshold: 1}
challenges:
  - {key: repeat, title: Repeat the word, category: words, difficulty: easy, instructions: 'Repeat {{word}}.'}
${rest}input_sets:
  - key: all
    name: All words
    cases:
${rows.join('\n')}
`;
}

/** The word pack with more cases than a document holds, as from a file. */
export function largeWordPack(cases: number, slug: string): PublishedPack {
  const pack = publish(wordPack(1, { slug }));
  const [set] = pack.manifest.input_sets;
  const [first] = set?.cases ?? [];
  if (set === undefined || first === undefined) throw new Error('the pack has a case');
  set.cases = Array.from({ length: cases }, (_, index) => {
    const key = `case-${index + 1}`;
    return { ...first, case_key: key, item_key: key, payload: { word: `w${index + 1}` } };
  });
  for (const each of pack.inputSets) each.case_count = cases;
  return pack;
}

/** A pack of mode `multi_turn` with a human actor; the phases are YAML flow mappings. */
export function conversationPack(phases: string[], options: { slug?: string; cases?: number } = {}): string {
  const { slug = 'talks', cases = 1 } = options;
  const rows = Array.from(
    { length: cases },
    (_, index) => `      - challenge_key: talk
        case_key: case-${index + 1}
        payload: {}
        user_simulator:
          schema_version: 1
          kind: hybrid
          phases: [${phases.join(', ')}]`,
  );
  return `pack: {slug: ${slug}, name: Talks, family: talks}
version:
  number: 1
  execution_mode: multi_turn
  evaluation_spec:
    name: talks
    version_number: 1
    judge_mode: deterministic
    validators:
      - {key: any, type: contains, target: final_output, expected_from: 'literal:e'}
    scorecard: {dimensions: [correctness], pass_threshold: 1}
challenges:
  - {key: talk, title: Talk, category: talks, difficulty: easy, instructions: Talk.}
input_sets:
  - key: all
    name: All
    cases:
${rows.join('\n')}
`;
}

export const HUMAN_PHASE = '{id: human, actor: human, trigger: always, timeout_ms: 60000, on_timeout: stop}';
export const EXTRA = '{id: extra, actor: scripted, trigger: manual, turns: [{message: More.}]}';
