import { Brand } from '../design/brand.js';
import { Empty } from '../design/states.js';

/** A link that expired, was revoked or never existed: the server does not distinguish them. */
export function ShareEnded() {
  return (
    <main>
      <Brand />
      <h1>This link is not valid</h1>
      <Empty title="It has expired, was revoked, or never existed.">
        <p>The sender can create another one.</p>
      </Empty>
    </main>
  );
}
