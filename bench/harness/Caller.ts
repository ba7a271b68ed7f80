/** An access token is valid for ten minutes; a slow machine gets another one well before that. */
const renewAfterMs = 4 * 60_000;

/**
 * A user of the demonstration who calls a program. It signs in again before the token expires, so a run can take any
 * time.
 */
export class Caller {
  readonly #credentials: URLSearchParams;
  readonly #url: string;
  readonly #now: () => number;
  #signedInAt = Number.NEGATIVE_INFINITY;
  #authorization: Promise<string> = Promise.resolve('');

  /**
   * Creates a caller.
   *
   * @param url of the program that issues the tokens; it must run as long as they are used
   * @param now monotonic clock in milliseconds
   */
  constructor(url: string, username: string, password: string, now = () => performance.now()) {
    this.#url = url;
    this.#now = now;
    this.#credentials = new URLSearchParams({ grant_type: 'password', username, password });
  }

  /** Returns the value of the header `Authorization`. */
  authorization(): Promise<string> {
    if (this.#now() - this.#signedInAt > renewAfterMs) {
      this.#signedInAt = this.#now();
      this.#authorization = this.#signIn();
    }
    return this.#authorization;
  }

  async #signIn(): Promise<string> {
    const response = await fetch(`${this.#url}/api/v1/auth/token`, {
      method: 'POST',
      body: this.#credentials,
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`The sign-in answered ${response.status}: ${text}`);
    return `Bearer ${(JSON.parse(text) as { access_token: string }).access_token}`;
  }
}
