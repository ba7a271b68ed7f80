import type { ProblemError } from '../ProblemError.ts';
import type { components } from '../rest/paths.generated.ts';
import type { TokenStorage, Tokens } from './TokenStorage.ts';

/** Response of `POST /auth/token`. */
export type TokenSet = components['schemas']['TokenSet'];

/** Members of a request for tokens, as OAuth names them. */
export type Grant = Readonly<Record<string, string | boolean | undefined>>;

/** Options of a session. */
export interface SessionOptions {
  storage: TokenStorage;
  /** Name of the application, stored with the session. */
  clientId: string | undefined;
  /** Whether the refresh token is a cookie that scripts cannot read. */
  refreshCookie: boolean;
  /** Requests tokens. Throws a `ProblemError` for a refusal. */
  requestTokens(grant: Grant): Promise<TokenSet>;
  /** Ends the session at the service. */
  revoke(token: string): Promise<void>;
}

/** A token is renewed this long before it ends: a request is on its way for a while. */
const skewMs = 20_000;

/**
 * The tokens of the signed-in user. Of all requests, clients and tabs that share a storage one renews them; a rotated
 * refresh token is never sent twice on purpose.
 */
export class Session {
  readonly #options: SessionOptions;
  #renewing: Promise<string | undefined> | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** Returns whether there are tokens. Only the service knows whether they are valid. */
  get isSignedIn(): boolean {
    return this.#options.storage.read() !== undefined;
  }

  /** Returns the id of the session, `ses_…`. */
  get id(): string | undefined {
    return this.#options.storage.read()?.sessionId;
  }

  /**
   * Signs in by password. 401 `mfa_required` contains `mfaToken` for `signInWithCode`.
   *
   * @throws ProblemError
   */
  signIn(credentials: { username: string; password: string }): Promise<void> {
    return this.begin({ grant_type: 'password', ...credentials });
  }

  /** Completes a sign-in with the code of a second factor, or a recovery code. */
  signInWithCode(step: { mfaToken: string; otp?: string; recoveryCode?: string }): Promise<void> {
    const { mfaToken: mfa_token, otp, recoveryCode: recovery_code } = step;
    return this.begin({ grant_type: 'urn:marketplace:mfa-otp', mfa_token, otp, recovery_code });
  }

  /** Signs in by any grant of the token endpoint. */
  async begin(grant: Grant): Promise<void> {
    const { storage, requestTokens } = this.#options;
    const tokens = toTokens(await requestTokens({ ...this.#application(), ...grant }));
    storage.write(tokens);
  }

  /** Uses tokens that were obtained elsewhere. */
  adopt(tokens: TokenSet): void {
    this.#options.storage.write(toTokens(tokens));
  }

  /** Ends the session, locally and at the service. The tokens are deleted even if the service is unreachable. */
  async signOut(): Promise<void> {
    const { storage, refreshCookie, revoke } = this.#options;
    const tokens = storage.read();
    storage.write(undefined);
    if (tokens) await revoke(refreshCookie ? 'cookie' : (tokens.refreshToken ?? tokens.accessToken));
  }

  /** Calls back after a sign-in, a sign-out or a renewal of tokens, in any tab; returns a function that stops it. */
  onChange(changed: (session: Session) => void): () => void {
    return this.#options.storage.watch(() => changed(this));
  }

  /** Returns an access token with remaining lifetime; undefined if no user is signed in. */
  async accessToken(): Promise<string | undefined> {
    const tokens = this.#options.storage.read();
    return !tokens || isFresh(tokens) ? tokens?.accessToken : this.renew(tokens.accessToken);
  }

  /**
   * Returns another access token than the refused one; undefined if the session has ended.
   *
   * @throws ProblemError or the error of `fetch` if the service does not respond; the tokens are kept
   */
  renew(refused: string): Promise<string | undefined> {
    this.#renewing ??= this.#options.storage
      .exclusively(() => this.#renew(refused))
      .finally(() => {
        this.#renewing = undefined;
      });
    return this.#renewing;
  }

  async #renew(refused: string): Promise<string | undefined> {
    const { storage, refreshCookie, requestTokens } = this.#options;
    const tokens = storage.read();
    if (!tokens) return undefined;
    // Another tab was faster while this one waited.
    if (tokens.accessToken !== refused && isFresh(tokens)) return tokens.accessToken;
    const refresh_token = refreshCookie ? 'cookie' : tokens.refreshToken;
    if (refresh_token === undefined) return this.#end(tokens);
    try {
      const renewed = await requestTokens({
        ...this.#application(),
        grant_type: 'refresh_token',
        refresh_token,
      });
      // A user who signed out meanwhile stays signed out.
      if (storage.read()?.accessToken !== tokens.accessToken) return storage.read()?.accessToken;
      storage.write(toTokens(renewed));
      return renewed.access_token;
    } catch (error) {
      if (!isFinal(error)) throw error;
      return this.#end(tokens);
    }
  }

  #end(tokens: Tokens): string | undefined {
    const { storage } = this.#options;
    const present = storage.read();
    if (present && present.accessToken !== tokens.accessToken) return present.accessToken;
    storage.write(undefined);
    return undefined;
  }

  #application(): Grant {
    const { clientId, refreshCookie } = this.#options;
    return { client_id: clientId, refresh_cookie: refreshCookie || undefined };
  }
}

function isFresh({ expiresAt }: Tokens): boolean {
  return expiresAt - skewMs > Date.now();
}

/** Returns whether the service has rejected the refresh token, instead of being unavailable. */
function isFinal(error: unknown): boolean {
  const { status } = error as Partial<ProblemError>;
  return status === 400 || status === 401 || status === 403;
}

function toTokens({ access_token, expires_in, refresh_token, session_id }: TokenSet): Tokens {
  return {
    accessToken: access_token,
    expiresAt: Date.now() + expires_in * 1000,
    sessionId: session_id,
    ...(refresh_token === undefined ? {} : { refreshToken: refresh_token }),
  };
}
