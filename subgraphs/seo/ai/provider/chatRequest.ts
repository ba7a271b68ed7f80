import type { OutputFormat, ProviderTarget, Question } from './AiProvider.ts';

/** Observed capabilities of a provider and its model. */
export interface Dialect {
  format: OutputFormat;
  /** Name of the limit of the answer; newer models refuse the older name, older servers the newer one. */
  limit: 'max_completion_tokens' | 'max_tokens';
}

/** Returns the exact body of a request, which a preview also shows. */
export function toChatRequest(
  { model }: Pick<ProviderTarget, 'model'>,
  { system, user, schema, maxOutputTokens }: Question<unknown>,
  { format, limit }: Dialect,
): string {
  return JSON.stringify({
    model,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ],
    [limit]: maxOutputTokens,
    ...(format === 'json_schema' && {
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'suggestions', strict: true, schema },
      },
    }),
    ...(format === 'json_object' && { response_format: { type: 'json_object' } }),
    stream: false,
  });
}

/**
 * Returns the maximum number of tokens of a request, including framing. Except for unusual texts, a token has three
 * bytes or more.
 */
export function estimateTokens(body: string): number {
  return Math.ceil(Buffer.byteLength(body) / 3);
}
