/**
 * All grant types of the token endpoint (RFC 6749, 4; RFC 8693), in the order in which refusals and the metadata of the
 * authorization server list them. A missing entry here or in the grants does not compile.
 */
export const grantTypes = [
  'password',
  'urn:marketplace:mfa-otp',
  'refresh_token',
  'client_credentials',
  'urn:ietf:params:oauth:grant-type:token-exchange',
] as const;

/** Name of a grant type. */
export type GrantType = (typeof grantTypes)[number];
