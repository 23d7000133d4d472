import { checkSpecs, testOf, visit } from './spec-syntax.mjs';

const words = (text) => new Set(text.trim().split(/\s+/));
/** Words after which no subject can follow: auxiliaries, prepositions, conjunctions and verbs that are no nouns as well. */
const NO_SUBJECT = words(`
  am are be been can cannot could did do does had has have is may might must shall should was were will would
  always and but never nor of or than that to which who whose
  accepts admits adopts agrees allows appears arrives becomes begins belongs binds blocks brings carries chooses comes
  compares completes consists contains continues covers creates decides deletes denies depends describes detects
  differs distinguishes drops ends enters escapes evicts exceeds excludes executes expires explains fails fills finds fits follows
  forgets forwards gets gives goes grows happens hides holds ignores includes installs joins keeps kills knows leads
  leaves lets loses makes marks matches means meets moves needs normalises obeys offers omits opens orders passes pins
  prevents prints proves publishes puts reaches reads receives refuses rejects remains removes renders repeats
  replaces requires resolves resumes returns reveals sees sends serves shows sleeps stays stops subscribes
  survives takes tolerates treats tries trims turns uses waits wakes warns works writes yields
  find give hold keep leave let make refuse reject send take
`);
/**
 * After a plural noun comes its verb; a determiner after it makes it a verb itself ("reports a problem", "names the
 * file").
 */
const DETERMINERS = words('a an the any each every its no nothing their these this those what which');
const PLURAL = /^(?!(?:always|as|besides|its|less|minus|plus|this|towards|unless|us|whereas)$)[a-z]+s$/;
const PLACEHOLDER = /%[a-z#]|\$\{\}|\$[a-z][\w.]*/gi;
const WORDS_MIN = 3;

/**
 * Titles of tests that are no sentence of their own: the report of a failed test and a search for it show the title
 * alone.
 */
export function checkTestTitles(workspace) {
  return checkSpecs(workspace, (module) => {
    const violations = [];
    visit(module, (node) => {
      const given = testOf(node);
      const title = textOf(given?.title);
      const problem = title === undefined ? undefined : titleProblem(title);
      if (problem) violations.push({ node: given.title, message: `the title "${title}" ${problem}` });
    });
    return violations;
  });
}

/** The text of a literal, its expressions as `${}`; undefined for a title that is computed. */
function textOf(node) {
  if (node?.type === 'StringLiteral') return node.value;
  if (node?.type === 'TemplateLiteral') return node.quasis.map(({ cooked }) => cooked).join('${}');
  return undefined;
}

function titleProblem(title) {
  if (!/[a-z]/i.test(title.replaceAll(PLACEHOLDER, '')))
    return 'is a bare placeholder: write a sentence around it';
  const [first, second, ...rest] = title.trim().split(/\s+/);
  if (1 + Number(second !== undefined) + rest.length < WORDS_MIN)
    return 'is no sentence: write a subject and a verb';
  const begin = first.toLowerCase();
  const isVerb = PLURAL.test(begin) && DETERMINERS.has(second);
  return NO_SUBJECT.has(begin) || isVerb ? `begins with "${first}": begin with a subject` : undefined;
}
