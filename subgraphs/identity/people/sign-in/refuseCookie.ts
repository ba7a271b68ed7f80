import { invalidMember } from './requiredMember.ts';

/**
 * Refuses the browser option for requests that bypass REST, where no cookie can be set. The response would expose the
 * token to scripts, from which it must be protected.
 *
 * @throws AppError `validation_failed`
 */
export function refuseCookie({ refreshCookie }: { refreshCookie?: boolean | null | undefined }): void {
  if (!refreshCookie) return;
  throw invalidMember(
    'refreshCookie',
    'Session cookies are only set over REST. Use the REST route, or request tokens in the response body.',
  );
}
