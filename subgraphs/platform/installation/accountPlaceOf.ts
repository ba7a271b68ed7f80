import type { Installation } from './Installation.ts';

/** Returns the URL, without a trailing slash, below which the account pages of an installation are. */
export function accountPlaceOf({ settings, baseUrl }: Pick<Installation, 'settings' | 'baseUrl'>): string {
  return (settings.accountUrl ?? `${baseUrl}/account`).replace(/\/$/, '');
}
