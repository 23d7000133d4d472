/** The documentation of a schema as elements: paragraphs, lists and code. Nothing of it is read as HTML. */
export function documentationElement(markdown: string): HTMLElement {
  const element = document.createElement('div');
  element.className = 'cm-documentation';
  let list: HTMLUListElement | undefined;
  let code: HTMLPreElement | undefined;
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) {
      code = code === undefined ? append(element, 'pre') : undefined;
    } else if (code !== undefined) {
      code.textContent += `${line}\n`;
    } else if (line.startsWith('* ')) {
      list ??= append(element, 'ul');
      append(list, 'li').append(...inline(line.slice(2)));
    } else if (line.trim() !== '' && !/^-{3,}$/.test(line)) {
      list = undefined;
      append(element, 'p').append(...inline(line));
    }
  }
  return element;
}

function append<Name extends 'pre' | 'ul' | 'li' | 'p'>(
  parent: HTMLElement,
  name: Name,
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  parent.append(element);
  return element;
}

/** Text with code in backquotes; a backslash before a sign is not shown. */
function inline(text: string): (Node | string)[] {
  // Escaped backquotes are code too: the schema escapes those of its sentences.
  return text.split(/\\?`/).map((part, index) => {
    const plain = part.replaceAll(/\\([\\`*_{}[\]()#+\-.!<>|])/g, '$1');
    if (index % 2 === 0) return plain;
    const code = document.createElement('code');
    code.textContent = plain;
    return code;
  });
}
