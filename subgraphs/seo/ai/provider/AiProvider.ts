/** Whom to ask, and for how long. */
export interface ProviderTarget {
  /** Owner of the account: failures of one installation's provider do not open the circuit of another one. */
  readonly installationId: string;
  readonly baseUrl: string;
  readonly model: string;
  /** Null for a model of the operator's own. */
  readonly apiKey: string | null;
  /** Whether its host may be at a private address and speak plain http. */
  readonly allowPrivate: boolean;
  /** For all attempts together, their bodies included. */
  readonly timeoutMs: number;
  readonly structuredOutput: 'auto' | OutputFormat;
}

/** How a model is made to answer in members, the strictest first. */
export const outputFormats = ['json_schema', 'json_object', 'prompt'] as const;

/** A rung of that ladder. */
export type OutputFormat = (typeof outputFormats)[number];

/** Prompt of a model. Both texts are redacted. */
export interface Question<T> {
  /** Names JSON and the members it wants, so that every rung of the ladder understands it. */
  readonly system: string;
  readonly user: string;
  /** JSON schema of the answer, strict: every member required, no further ones. */
  readonly schema: object;
  readonly maxOutputTokens: number;
  /** The answer as it is used; null for one of another shape. */
  read(value: unknown): T | null;
}

/** Tokens as the provider reports them. */
export interface TokenUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** Cost of an attempt: none, as the provider reports it, or unknown. */
export type Billing = 'none' | 'unknown' | TokenUsage;

/** Charges attempts. Each attempt is charged separately, because a provider may charge for each. */
export interface Meter {
  /** Before anything is sent; refuses when the money is used up. */
  begin(): Promise<{ settle(billing: Billing): Promise<void> }>;
}

/** Why a provider gave no answer that can be used. */
export type FailureKind =
  /** It refuses the key or the account. */
  | 'rejected'
  | 'rate_limited'
  /** It cannot be reached, answers 5xx, or failed too often of late. */
  | 'unavailable'
  | 'timeout'
  /** The response does not conform to the protocol. */
  | 'error'
  | 'invalid_output'
  /** It refuses to write about the text. */
  | 'filtered';

/** A failure of the provider. The message is for logs: texts of the provider stand in it nowhere. */
export class ProviderFailure extends Error {
  readonly kind: FailureKind;
  readonly billing: Billing;
  readonly retryAfterMs: number | undefined;

  constructor(
    kind: FailureKind,
    message: string,
    { billing = 'none', retryAfterMs }: { billing?: Billing; retryAfterMs?: number | undefined } = {},
  ) {
    super(message);
    this.name = 'ProviderFailure';
    this.kind = kind;
    this.billing = billing;
    this.retryAfterMs = retryAfterMs;
  }
}
