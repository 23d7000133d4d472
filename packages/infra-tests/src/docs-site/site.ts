import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { repository } from '../repository.js';

/** A page of the documentation's site. */
export interface SitePage {
  /** From the repository's root. */
  file: string;
  /** From the root of the site, with the ending `.md`. */
  route: string;
  section: string;
  title: string;
  /** The text with the links of the site. */
  siteText: string;
}

interface Site {
  pages: SitePage[];
  summary: string;
  repositoryUrl: string;
}

const load = (file: string) => import(pathToFileURL(path.join(repository, 'infra/docs-site', file)).href);

const { stagedPages }: { stagedPages(root: string): Site } = await load('stage.mjs');
const { sitePages }: { sitePages(root: string): SitePage[] } = await load('pages.mjs');
const { anchorOf }: { anchorOf(heading: string): string } = await load('links.mjs');
const { llmsText, llmsFullText }: LlmsTexts = await load('llms.mjs');

interface LlmsTexts {
  llmsText(pages: SitePage[], site: { base: string; summary: string }): string;
  llmsFullText(pages: SitePage[], site: { base: string }): string;
}

export { anchorOf, llmsFullText, llmsText, sitePages, stagedPages };
