// Links of the repository's Markdown as links of the site: between pages, to published files, and to the source of the
// repository for everything else.
import path from 'node:path';

/** Copied into the site beside its pages. */
export const PICTURES = 'docs/images/';

/** The anchor that GitHub gives a heading; the site uses the same, so that one link serves both. */
export function anchorOf(heading) {
  const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
  return text.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-');
}

/** Text in which the links outside of code are replaced by what `replace` returns for their targets. */
function replaceLinks(text, replace) {
  const parts = text.split(/(^```[\s\S]*?^```$|`[^`\n]*`)/gm);
  return parts
    .map((part, index) =>
      index % 2 === 1 ? part : part.replace(/\]\(([^()\s]+)\)/g, (_, target) => `](${replace(target)})`),
    )
    .join('');
}

/**
 * The text of a page for the site. `site` has `pages` (those of `sitePages`), `published` (a map from files of the
 * repository to addresses of the site) and `repositoryUrl` (where its source can be read).
 */
export function siteText(page, site) {
  const routes = new Map(site.pages.map(({ file, route }) => [file, route]));
  const from = path.posix.dirname(page.route);
  return replaceLinks(page.text.replace(/^<!--[\s\S]*?-->\n/gm, ''), (target) => {
    if (/^[a-z]+:/.test(target) || target.startsWith('#')) return target;
    const [linked, anchor] = target.split('#');
    const file = path.posix.join(path.posix.dirname(page.file), linked).replace(/\/$/, '');
    const hash = anchor === undefined ? '' : `#${anchor}`;
    const route = routes.get(file);
    const kept = route ?? (file.startsWith(PICTURES) ? file.slice('docs/'.length) : undefined);
    if (kept !== undefined) return `./${path.posix.relative(from, kept)}${hash}`;
    const address = site.published.get(file);
    return address ?? `${site.repositoryUrl}/blob/main/${file}${hash}`;
  });
}
