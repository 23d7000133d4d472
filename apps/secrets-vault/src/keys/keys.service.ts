import { randomBytes } from 'node:crypto';
import { ContractError, type KeyRingStatus } from '@agentclash/contracts';
import { LOGGER, type Logger } from '@agentclash/service-kit';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { KeyRing, KeySource } from '../key-ring.js';
import { KEY_SOURCE, readKeys, writeKeys } from './key-file.js';
import { isRotating, keyStates, nextKeyId, ringProblem } from './key-states.js';
import { KeysStore } from './keys.store.js';

const KEY_BYTES = 32;

/** The master keys in use. Keys that cannot open what is stored are never taken over. */
@Injectable()
export class Keys implements OnModuleInit {
  private current: KeyRing | undefined;
  private problem: string | null = null;
  /** One change of the keys at a time. */
  private changing: Promise<unknown> = Promise.resolve();

  constructor(
    @Inject(KEY_SOURCE) private readonly source: KeySource,
    private readonly store: KeysStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Refuses to start with keys that cannot open what is stored. */
  async onModuleInit(): Promise<void> {
    await this.reload();
    if (this.current === undefined) throw new Error(`The vault cannot start: ${this.problem}.`);
  }

  get ring(): KeyRing {
    if (this.current === undefined) throw new Error('the keys were not read');
    return this.current;
  }

  /** Loads the current keys. Keys that cannot be used are reported by `status`, and the last usable keys stay. */
  async reload(): Promise<void> {
    await this.alone(() => this.readAgain());
  }

  /** Makes a new active key where the file is ours and no rotation is under way. Fails with `conflict`. */
  async rotate(actor: string): Promise<void> {
    await this.alone(async () => {
      await this.readAgain();
      if (this.problem !== null) throw new ContractError('conflict', `No key was made: ${this.problem}.`);
      if (this.source.kind !== 'managed_file' || this.ring.otherIds.length > 0) return;
      const retiredIds = await this.store.retiredIds();
      const ring = this.ring.withActive(nextKeyId([...this.ring.ids, ...retiredIds]), randomBytes(KEY_BYTES));
      // Written before the first secret is wrapped by it, so that no crash leaves a secret without its key.
      await writeKeys(this.source.path, ring);
      this.current = ring;
      this.logger.info({ master_key_id: ring.activeId, actor }, 'master key created');
    });
  }

  /** Fails with `conflict` while the key is in use. */
  async retire(id: string, actor: string): Promise<void> {
    if (id === this.ring.activeId) throw new ContractError('conflict', `${id} is the active key.`);
    const needed = await this.store.retire(id, actor);
    if (needed > 0) throw new ContractError('conflict', `${needed} secrets still need the key ${id}.`);
    this.logger.info({ master_key_id: id, actor }, 'master key retired');
  }

  /** Drops the keys that nothing needs any more from a file that is ours. */
  async dropUnneeded(): Promise<void> {
    const { source } = this;
    if (source.kind !== 'managed_file') return;
    await this.alone(async () => {
      const unneeded: string[] = [];
      for (const id of this.ring.otherIds) {
        if ((await this.store.retire(id, 'rotation')) === 0) unneeded.push(id);
      }
      if (unneeded.length === 0) return;
      const ring = this.ring.without(unneeded);
      await writeKeys(source.path, ring);
      this.current = ring;
      this.logger.info({ master_key_ids: unneeded }, 'master keys dropped');
    });
  }

  async status(): Promise<KeyRingStatus> {
    const { ring, source, problem } = this;
    const [counts, retiredIds] = await Promise.all([this.store.counts(), this.store.retiredIds()]);
    const keys = keyStates(ring, { counts, retiredIds });
    return {
      active_key_id: ring.activeId,
      source: source.kind,
      is_rotating: isRotating(keys, source.kind),
      keys,
      problem,
    };
  }

  private async readAgain(): Promise<void> {
    let problem: string | undefined;
    try {
      const ring = await readKeys(this.source);
      problem = ringProblem(ring, await this.store.needs());
      if (problem === undefined) this.current = ring;
    } catch (error) {
      problem = (error as Error).message;
    }
    if (problem !== undefined && problem !== this.problem)
      this.logger.error({ problem }, 'master keys are unusable');
    this.problem = problem ?? null;
  }

  private async alone<T>(change: () => Promise<T>): Promise<T> {
    const turn = this.changing.then(change, change);
    this.changing = turn;
    return await turn;
  }
}
