// The default theme, with the diagrams of the pages drawn in the browser.
import { useRoute, withBase } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import { nextTick, onMounted, watch } from 'vue';

export default {
  extends: DefaultTheme,
  setup() {
    const route = useRoute();
    onMounted(drawDiagrams);
    watch(
      () => route.path,
      () => nextTick(drawDiagrams),
    );
  },
};

let library;

/** Replaces the code of each diagram of the page by its drawing. Without the library the code stays. */
async function drawDiagrams() {
  const blocks = [...document.querySelectorAll('div.language-mermaid:not([data-drawn])')];
  if (blocks.length === 0) return;
  library ??= loadLibrary();
  const mermaid = await library;
  const theme = document.documentElement.classList.contains('dark') ? 'dark' : 'default';
  // Labels as SVG: those as HTML get the styles of the page after they were measured, and are cut.
  mermaid.initialize({
    startOnLoad: false,
    theme,
    htmlLabels: false,
    flowchart: { htmlLabels: false, wrappingWidth: 260 },
  });
  for (const [index, block] of blocks.entries()) {
    block.dataset.drawn = 'true';
    const { svg } = await mermaid.render(
      `diagram-${Date.now()}-${index}`,
      block.querySelector('code').textContent,
    );
    block.innerHTML = svg;
  }
}

function loadLibrary() {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = withBase('/mermaid.js');
    script.onload = () => resolve(window.mermaid);
    script.onerror = reject;
    document.head.append(script);
  });
}
