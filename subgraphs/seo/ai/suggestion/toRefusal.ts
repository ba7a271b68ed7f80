import { AppError } from '../../../platform/errors/AppError.ts';
import type { FailureKind, ProviderFailure } from '../provider/AiProvider.ts';

const usualRetrySeconds = 30;

/** What a caller is told of a provider's failure: our words, never the provider's. */
const refusals = {
  rejected: ['seo_ai_provider_rejected', 'The provider refuses the key or the account of this installation.'],
  rate_limited: ['seo_ai_rate_limited', 'The provider accepts no more requests for the moment.'],
  unavailable: ['seo_ai_provider_unavailable', 'The provider cannot be reached, or fails too often.'],
  timeout: ['seo_ai_provider_timeout', 'The provider did not answer in time.'],
  error: ['seo_ai_provider_error', 'The provider answered with an error.'],
  invalid_output: ['seo_ai_invalid_output', 'The provider answered with nothing that can be used.'],
  filtered: ['seo_ai_content_filtered', 'The provider refuses to write about this text.'],
} as const satisfies Record<FailureKind, readonly [string, string]>;

const isPassing: ReadonlySet<FailureKind> = new Set(['rate_limited', 'unavailable']);

/** A failure of the provider as our refusal. */
export function toRefusal({ kind, retryAfterMs }: ProviderFailure): AppError {
  const [code, message] = refusals[kind];
  if (!isPassing.has(kind)) return new AppError(code, message);
  const retryAfter = retryAfterMs === undefined ? usualRetrySeconds : Math.ceil(retryAfterMs / 1000);
  return new AppError(code, message, { retryAfter: Math.min(3600, Math.max(1, retryAfter)) });
}
