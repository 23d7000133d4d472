/** The ending of files of results, by which they are distinguished from ids. */
const RESULTS_ENDING = '.clash';

export function isResultsFile(reference: string | undefined): reference is string {
  return reference?.endsWith(RESULTS_ENDING) === true;
}
