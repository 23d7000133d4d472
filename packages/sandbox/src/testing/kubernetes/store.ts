import { EventEmitter } from 'node:events';
import type { KubernetesObject } from '../../kubernetes/objects.js';

/** Objects of one kind in one namespace, with the events of a watch. */
export class ObjectStore<T extends KubernetesObject> {
  readonly #objects = new Map<string, T>();
  readonly #changes = new EventEmitter().setMaxListeners(0);
  #version = 0;

  get(name: string): T | undefined {
    return this.#objects.get(name);
  }

  list(labelSelector = ''): T[] {
    const wanted = labelSelector === '' ? [] : labelSelector.split(',').map((term) => term.split('='));
    return [...this.#objects.values()].filter((object) =>
      wanted.every(([key = '', value]) => object.metadata.labels?.[key] === value),
    );
  }

  put(object: T): T {
    const resourceVersion = String(++this.#version);
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion } };
    const type = this.#objects.has(object.metadata.name) ? 'MODIFIED' : 'ADDED';
    this.#objects.set(object.metadata.name, stored);
    this.#changes.emit('change', { type, object: stored });
    return stored;
  }

  delete(name: string): boolean {
    const object = this.#objects.get(name);
    this.#objects.delete(name);
    if (object) this.#changes.emit('change', { type: 'DELETED', object });
    return object !== undefined;
  }

  /** Returns what stops it. */
  watch(listener: (change: { type: string; object: T }) => void): () => void {
    this.#changes.on('change', listener);
    return () => this.#changes.off('change', listener);
  }
}
