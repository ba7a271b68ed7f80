import { invalidMember } from './requiredMember.ts';

/**
 * The browser option is handled before a field is called; what still has the wish bypassed REST, where no cookie can
 * be set. The response would show the token to the scripts that it was to be kept from.
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
