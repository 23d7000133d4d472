/** One case and one agent: small enough to be audited, and to be raced where nothing of it can run. */
interface Pack {
  slug: string;
  cases: readonly string[];
  assets?: readonly string[];
}

const SOLUTION = 'solution: {files: [{path: sum.txt, content: "42"}]}';
const EXPECTED = 'expectations: [{key: sum, kind: value, value: "42"}]';

/** A pack whose solution passes, and whose graders notice each of its mutants. */
export function auditedPack(slug: string): string {
  return packText({ slug, cases: [`{challenge_key: add, case_key: add, ${SOLUTION}, ${EXPECTED}}`] });
}

/** A case for each image. */
export function imagesPack(slug: string, images: Readonly<Record<string, string>>): string {
  const cases = Object.entries(images).map(
    ([key, image]) => `{challenge_key: add, case_key: ${key}, sandbox: {image: "${image}"}, ${EXPECTED}}`,
  );
  return packText({ slug, cases });
}

/** A case whose image is built from a Dockerfile beside the pack. */
export function dockerfilePack(slug: string, dockerfile: string): string {
  const sandbox = `sandbox: {dockerfile: ${dockerfile}}`;
  const cases = [`{challenge_key: add, case_key: built, ${sandbox}, ${EXPECTED}}`];
  return packText({ slug, cases, assets: [`{key: dockerfile, path: ${dockerfile}}`] });
}

function packText({ slug, cases, assets = [] }: Pack): string {
  return `
pack: {slug: ${slug}, name: Sums, family: tests}
version:
  number: 1
  execution_mode: native
  tool_policy: {allowed_tool_kinds: [file]}
  assets: [${assets.join(', ')}]
  evaluation_spec:
    name: ${slug}
    version_number: 1
    judge_mode: deterministic
    validators: [{key: sum, type: exact_match, target: file:sum, expected_from: case.expectations.sum}]
    post_execution_checks: [{key: sum, type: file_capture, path: sum.txt}]
    scorecard: {strategy: binary, dimensions: [{key: correctness, validators: [sum], gate: true, pass_threshold: 1}]}
challenges:
  - {key: add, title: Add, category: math, difficulty: easy, instructions: Write the sum of 17 and 25 to the file sum.txt.}
input_sets:
  - key: default
    name: Cases
    cases:
${cases.map((each) => `      - ${each}`).join('\n')}
`;
}
