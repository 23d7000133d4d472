import { parse, stringify } from 'yaml';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.js';

/** A YAML block of the guide, as a whole pack, and its documented problem codes. */
export interface GuideBlock {
  line: number;
  text: string;
  codes: string[];
}

const BLOCK = /(?:<!-- in: ([\w-]+)(?:, problem: (\w+))? -->\n)?```yaml\n([\s\S]*?)```/g;

/** All YAML blocks. A fragment is laid over the pack of the guide that the comment before it names by its slug. */
export function guideBlocks(guide: string): GuideBlock[] {
  const packs = new Map<string, JsonObject>();
  return [...guide.matchAll(BLOCK)].map(([, frame, code, text = ''], index, all) => {
    const line = guide.slice(0, all[index]?.index).split('\n').length;
    const document: JsonValue = parse(text);
    if (!isJsonObject(document)) throw new Error(`line ${line}: the block is no map`);
    const codes = code === undefined ? [] : [code];
    if (frame === undefined) {
      const { pack } = document;
      if (!isJsonObject(pack)) throw new Error(`line ${line}: name the pack that the fragment belongs to`);
      packs.set(String(pack.slug), document);
      return { line, text, codes };
    }
    const below = packs.get(frame);
    if (below === undefined) throw new Error(`line ${line}: there is no pack ${frame} above`);
    return { line, text: stringify(overlaid(below, document), { lineWidth: 0 }), codes };
  });
}

/** Maps are joined, everything else is replaced. */
function overlaid(below: JsonObject, above: JsonObject): JsonObject {
  const joined = { ...below };
  for (const [key, value] of Object.entries(above)) {
    const under = below[key];
    joined[key] = isJsonObject(under) && isJsonObject(value) ? overlaid(under, value) : value;
  }
  return joined;
}
