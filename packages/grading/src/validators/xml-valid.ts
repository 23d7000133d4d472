import { trim } from '@agentclash/challengepack';
import { fail, passIf } from './judgement.js';
import { textValidator } from './text-target.js';
import { readXml } from './xml.js';

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
