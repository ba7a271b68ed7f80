import type { Configuration } from '../configuration/readConfiguration.ts';

/**
 * Returns the hint for developers whose frontend has another origin: a browser reports only that the request failed. A
 * deployment without the demonstration gets no hint, because no allowed origin is the safe setting.
 */
export function describeOrigins({
  corsOrigins,
  demonstration,
}: Pick<Configuration, 'corsOrigins' | 'demonstration'>): readonly string[] {
  if (!demonstration || (corsOrigins ?? []).length > 0) return [];
  return [
    'CORS: pages of other origins cannot call the API. CORS_ORIGINS=http://localhost:5173 allows one (docs/how-to/cors.md)',
  ];
}
