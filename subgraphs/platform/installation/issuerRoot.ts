import { defaultSettings, type Installation } from './Installation.ts';

/** Id of the issuer root. No installation has this id, no token can name it, and no record belongs to it. */
const issuerRootId = 'issuer';

/**
 * Returns the issuer root, which serves keys and metadata at the issuer URL of a deployment. Clients that know only
 * `iss` find them there (RFC 8414, 3). It serves nothing else.
 */
export function issuerRoot(issuer: string): Installation {
  return {
    id: issuerRootId,
    name: 'Issuer',
    hosts: [new URL(issuer).hostname],
    baseUrl: issuer.replace(/\/$/, ''),
    defaultCurrency: 'EUR',
    locales: ['en'],
    settings: defaultSettings,
  };
}

/** Returns whether an installation only represents the issuer URL. */
export function isIssuerRoot({ id }: Pick<Installation, 'id'>): boolean {
  return id === issuerRootId;
}
