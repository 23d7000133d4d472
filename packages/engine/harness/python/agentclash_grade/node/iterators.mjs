/** Iterations of objects of the code, which give no fewer items than the test has read as their length. */
export function codeIterators({ targets, request, items }) {
  /** The next step of an iterator of the code, and its end where the test leaves the loop. */
  function stepsOf(own) {
    const self = targets.get(own) ?? ['u'];
    const { next } = own;
    const call = (method, name) => {
      const found = targets.get(method);
      if (!found) return own[name]?.();
      return request({ op: 'call', target: found, self, args: [], isIterating: true }).value;
    };
    return { next: () => call(next, 'next'), leave: () => call(own.return, 'return') };
  }

  function iterator(target) {
    const tally = items.tally(target);
    const steps = stepsOf(request({ op: 'iterate', target, isIterating: true }).value);
    return {
      next: () => tally.step(steps.next()),
      return(value) {
        steps.leave();
        return { done: true, value };
      },
      [Symbol.iterator]() {
        return this;
      },
    };
  }

  function asyncIterator(target) {
    const tally = items.tally(target);
    const steps = stepsOf(request({ op: 'iterateLater', target, isIterating: true }).value);
    return {
      next: async () => tally.step(await steps.next()),
      async return(value) {
        await steps.leave();
        return { done: true, value };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  return { iterator, asyncIterator };
}
