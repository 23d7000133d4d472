// llms.txt (https://llmstxt.org): the pages as a list for language models, and llms-full.txt: all of their text.

/** The list: a heading, a summary, and the pages by section, each as its Markdown. */
export function llmsText(pages, { base, summary }) {
  const sections = Map.groupBy(
    pages.filter(({ section }) => section !== ''),
    ({ section }) => section,
  );
  const lists = [...sections].map(([section, listed]) => {
    const lines = listed.map(({ title, route }) => `- [${title}](${base}${route})`);
    // Sections named "Optional" may be skipped when the context is short.
    const name = section === 'Decisions' || section === 'Project' ? `Optional: ${section}` : section;
    return `## ${name}\n\n${lines.join('\n')}\n`;
  });
  return `# AgentClash\n\n> ${summary}\n\n${lists.join('\n')}`;
}

/** The text of all pages but the decisions and the changelog, each below its address. */
export function llmsFullText(pages, { base }) {
  const guides = pages.filter(({ section }) => section !== 'Decisions' && section !== 'Project');
  return guides.map(({ route, siteText }) => `<!-- ${base}${route} -->\n\n${siteText.trim()}\n`).join('\n');
}
