import { ApiError } from '@agentclash/api';
import { type FormEvent, useEffect, useId, useState } from 'react';
import { Brand } from '../design/brand.js';
import { Button } from '../design/button.js';
import { TextField } from '../design/field.js';
import { Failure } from '../design/states.js';
import css from './sign-in.module.css';

interface SignInProps {
  /** Fails where the token is not accepted. */
  onToken: (token: string, keep: boolean) => Promise<void>;
  /** The reason why an earlier session has ended. */
  reason: string | undefined;
}

/** The sign-in form. */
export function SignIn({ onToken, reason }: SignInProps) {
  const [token, setToken] = useState(takeOfferedToken);
  const [keep, setKeep] = useState(false);
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const keepId = useId();
  useEffect(() => {
    document.title = 'Sign in · AgentClash';
  }, []);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    await onToken(token.trim(), keep).catch((failure: unknown) => {
      setError(failure);
      setBusy(false);
    });
  };
  const isRefused = error instanceof ApiError && error.code === 'unauthenticated';
  return (
    <main className={css.screen}>
      <form className={css.card} onSubmit={submit}>
        <Brand />
        <h1 className={css.title}>Sign in</h1>
        {reason && <p role="status">{reason}</p>}
        <TextField
          label="Token"
          type="password"
          autoComplete="off"
          spellCheck={false}
          autoFocus
          required
          value={token}
          onChange={(event) => setToken(event.target.value)}
          hint={
            <>
              Starts with <code>ac_</code>. On the command line, <code>agentclash open</code> signs you in; an
              admin creates tokens under Tokens.
            </>
          }
          problem={isRefused ? invalidTokenMessage(error) : undefined}
        />
        <label className={css.keep} htmlFor={keepId}>
          <input
            id={keepId}
            type="checkbox"
            checked={keep}
            onChange={(event) => setKeep(event.target.checked)}
          />
          Keep me signed in for 30 days instead of 12 hours
        </label>
        {error !== undefined && !isRefused && <Failure error={error} />}
        <Button type="submit" kind="primary" isBusy={isBusy} disabled={token.trim() === ''}>
          Sign in
        </Button>
      </form>
    </main>
  );
}

interface SignInOptionProps {
  onAccept: () => void;
  onRefuse: () => void;
}

/** Confirms a sign-in by link, which may come from another person. */
export function SignInOption({ onAccept, onRefuse }: SignInOptionProps) {
  useEffect(() => {
    document.title = 'Sign in · AgentClash';
  }, []);
  return (
    <main className={css.screen}>
      <div className={css.card}>
        <Brand />
        <h1 className={css.title}>Sign in with this link?</h1>
        <p>
          This link signs you in at <strong>{location.host}</strong>. Continue only if you created it
          yourself, for example with <code>agentclash open</code>.
        </p>
        <Button kind="primary" onClick={onAccept}>
          Sign in
        </Button>
        <Button onClick={onRefuse}>Do not sign in</Button>
      </div>
    </main>
  );
}

/** A token that cannot be sent in a header has its own message. */
function invalidTokenMessage({ request_id, detail }: ApiError): string {
  return request_id === null ? detail : 'Invalid token: it is unknown or has expired.';
}

const OFFER = /^#token=(ac_[\w-]+)$/;

/**
 * Reads a token from the address and removes it there. The form is only pre-filled: a foreign link must not sign a user in
 * to another workspace unnoticed.
 */
function takeOfferedToken(): string {
  const offered = OFFER.exec(location.hash)?.[1] ?? '';
  if (offered !== '') history.replaceState(null, '', location.pathname + location.search);
  return offered;
}
