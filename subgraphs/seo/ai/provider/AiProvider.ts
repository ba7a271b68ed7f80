/** Whom to ask, and for how long. */
export interface ProviderTarget {
  /** Owner of the account: failures of one installation's provider do not open the circuit of another one. */
  readonly installationId: string;
  readonly baseUrl: string;
  readonly model: string;
  /** API key; null for a self-hosted model of the operator. */
  readonly apiKey: string | null;
  /** Whether its host may be at a private address and speak plain http. */
  readonly allowPrivate: boolean;
  /** Timeout for all attempts together, including their bodies. */
  readonly timeoutMs: number;
  readonly structuredOutput: 'auto' | OutputFormat;
}

/** Methods to make a model return structured output, the strictest first. */
export const outputFormats = ['json_schema', 'json_object', 'prompt'] as const;

/** A rung of that ladder. */
export type OutputFormat = (typeof outputFormats)[number];

/** Prompt of a model. Both texts are redacted. */
export interface Question<T> {
  /** System prompt. It mentions JSON and the requested members, so that it works with every output format. */
  readonly system: string;
  readonly user: string;
  /** JSON schema of the answer, strict: every member required, no further ones. */
  readonly schema: object;
  readonly maxOutputTokens: number;
  /** Converts the answer; null if it has another shape. */
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
  /** Called before anything is sent; throws if the budget is exhausted. */
  begin(): Promise<{ settle(billing: Billing): Promise<void> }>;
}

/** Reasons why a provider returned no usable answer. */
export type FailureKind =
  /** The provider refuses the key or the account. */
  | 'rejected'
  | 'rate_limited'
  /** The provider is unreachable, responds with 5xx, or has failed too often recently. */
  | 'unavailable'
  | 'timeout'
  /** The response does not conform to the protocol. */
  | 'error'
  | 'invalid_output'
  /** The provider refuses to write about the text. */
  | 'filtered';

/** A failure of the provider. The message is for logs and never contains texts of the provider. */
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
