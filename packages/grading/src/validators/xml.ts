import { trim } from '@agentclash/challengepack';
import { SaxesParser } from 'saxes';
import { fail, passIf } from './judgement.js';
import { textValidator } from './text-target.js';

export const xmlValid = textValidator<'xml_valid'>((actual, { config: { root_element: wanted } }) => {
  let root: string | undefined;
  const isWellFormed = readXml(trim(actual), {
    open: (name, { depth }) => {
      if (depth === 1) root = name;
    },
  });
  if (!isWellFormed) return fail('unparsable_output');
  return passIf(wanted === undefined || wanted === root, 'wrong_root');
});

const DEPTH_MAX = 256;
/** Units between two checks whether the text is still well-formed. */
const CHUNK_UNITS = 8_192;

/** Attribute values by name. */
export type XmlAttributes = Readonly<Record<string, string>>;

interface XmlListener {
  /** `depth` counts from 1 for the root. */
  open(name: string, element: { attributes: XmlAttributes; depth: number }): void;
  close?(name: string): void;
}

/**
 * Reads one well-formed XML 1.0 element tree and notifies the listener of its elements. False for anything else, also for
 * a DOCTYPE, an entity beyond the predefined ones, and more than 256 levels.
 */
export function readXml(text: string, listener: XmlListener): boolean {
  const parser = new SaxesParser({ xmlns: false, defaultXMLVersion: '1.0', forceXMLVersion: true });
  let isWellFormed = true;
  let depth = 0;
  parser.on('error', () => {
    isWellFormed = false;
  });
  parser.on('doctype', () => {
    isWellFormed = false;
  });
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1;
    if (depth > DEPTH_MAX) isWellFormed = false;
    else if (isWellFormed) listener.open(name, { attributes, depth });
  });
  parser.on('closetag', ({ name }) => {
    depth -= 1;
    if (isWellFormed) listener.close?.(name);
  });
  for (let at = 0; at < text.length && isWellFormed; at += CHUNK_UNITS) {
    parser.write(text.slice(at, at + CHUNK_UNITS));
  }
  parser.close();
  return isWellFormed;
}
