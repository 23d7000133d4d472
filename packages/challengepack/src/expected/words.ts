const RUN = /\p{White_Space}+/gu;

/** Turns every run of white space into one space. */
export function collapseWhiteSpace(text: string): string {
  return text.replace(RUN, ' ');
}

/** The words between runs of white space. */
export function splitWords(text: string): string[] {
  return text.split(RUN).filter((word) => word !== '');
}
