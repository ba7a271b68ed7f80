import { defaultSettings, type Installation } from './Installation.ts';

/** No installation has this id, no token can name it, and no record belongs to it. */
const issuerRootId = 'issuer';

/**
 * What the issuer URL of a deployment serves without an installation: clients that know only `iss` find the keys and
 * the metadata there (RFC 8414, 3). It serves nothing else.
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

/** Whether an installation only represents the issuer URL and is not a real one. */
export function isIssuerRoot({ id }: Pick<Installation, 'id'>): boolean {
  return id === issuerRootId;
}
