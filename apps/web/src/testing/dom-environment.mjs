import { Window } from 'happy-dom';
import { TestEnvironment } from 'jest-environment-node';

/** Node implements these for both sides: requests, responses and streams in tests are those of the real client. */
const OF_NODE = new Set(['console', 'performance', 'crypto']);
/** Node has its own, but those of the document must belong to its realm. */
const OF_DOCUMENT = new Set([
  ...['Event', 'EventTarget', 'CustomEvent', 'MessageEvent', 'Storage', 'StorageEvent', 'navigator'],
  ...['localStorage', 'sessionStorage', 'addEventListener', 'removeEventListener', 'dispatchEvent'],
]);

/** Component tests: Node with a document. Loaded once for each worker, so that a file costs a new window only. */
export default class DomEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    this.window = new Window({ url: 'http://web.test/', width: 1280, height: 800 });
    const { global, window } = this;
    for (let source = window; source !== Object.prototype; source = Object.getPrototypeOf(source)) {
      for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(source))) {
        const isTaken = name in global && !OF_DOCUMENT.has(name);
        if (name === 'constructor' || OF_NODE.has(name) || isTaken) continue;
        Object.defineProperty(global, name, bound(property, window));
      }
    }
    // Without layout every viewport has 800 px and every row 40, so that virtual lists have something to show.
    for (const [name, value] of Object.entries({ clientHeight: 800, clientWidth: 800, offsetHeight: 40 })) {
      Object.defineProperty(window.HTMLElement.prototype, name, { value, configurable: true });
    }
    window.Element.prototype.scrollIntoView = () => undefined;
    for (const name of ['window', 'self', 'parent', 'top']) {
      Object.defineProperty(global, name, { value: global, configurable: true, writable: true });
    }
    Object.defineProperty(global, 'getComputedStyle', { value: styleOf, configurable: true, writable: true });
    Object.defineProperty(global, 'location', { value: window.location, configurable: true });
  }

  async teardown() {
    await this.window.happyDOM.close();
    await super.teardown();
  }
}

const HIDDEN = {
  display: 'none',
  visibility: '',
  getPropertyValue: (name) => (name === 'display' ? 'none' : ''),
};

/** No style sheet is loaded: computing styles, which queries by role do for every element, would only cost time. */
function styleOf(element) {
  return element.localName === 'dialog' && !element.open ? HIDDEN : element.style;
}

/** Methods and accessors of the window expect it as `this`. */
function bound({ value, get, set }, window) {
  if (get !== undefined) return { configurable: true, get: get.bind(window), set: set?.bind(window) };
  const isMethod = typeof value === 'function' && !/^[A-Z]/.test(value.name);
  return { configurable: true, writable: true, value: isMethod ? value.bind(window) : value };
}
