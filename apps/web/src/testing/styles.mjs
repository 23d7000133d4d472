/** Replaces every style sheet in tests: each class is its own name. */
export default new Proxy({}, { get: (_target, name) => name });
