import { AppError } from '../../../platform/errors/AppError.ts';
import type { FailureKind, ProviderFailure } from '../provider/AiProvider.ts';

const usualRetrySeconds = 30;

/** Message about a provider's failure for callers. It never quotes the provider. */
const refusals = {
  rejected: [
    'seo_ai_provider_rejected',
    'The AI provider refused the key or the account of this installation.',
  ],
  rate_limited: [
    'seo_ai_rate_limited',
    'The AI provider accepts no more requests at the moment. Retry later.',
  ],
  unavailable: [
    'seo_ai_provider_unavailable',
    'The AI provider cannot be reached or fails too often. Retry later.',
  ],
  timeout: ['seo_ai_provider_timeout', 'The AI provider did not answer in time. Retry later.'],
  error: ['seo_ai_provider_error', 'The AI provider returned an error.'],
  invalid_output: ['seo_ai_invalid_output', 'The AI provider returned an unusable answer.'],
  filtered: ['seo_ai_content_filtered', 'The AI provider refused to write about this text.'],
} as const satisfies Record<FailureKind, readonly [string, string]>;

const isPassing: ReadonlySet<FailureKind> = new Set(['rate_limited', 'unavailable']);

/** Converts a failure of the provider to the public error. */
export function toRefusal({ kind, retryAfterMs }: ProviderFailure): AppError {
  const [code, message] = refusals[kind];
  if (!isPassing.has(kind)) return new AppError(code, message);
  const retryAfter = retryAfterMs === undefined ? usualRetrySeconds : Math.ceil(retryAfterMs / 1000);
  return new AppError(code, message, { retryAfter: Math.min(3600, Math.max(1, retryAfter)) });
}
