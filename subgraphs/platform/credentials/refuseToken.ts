import type { ErrorCode } from '../../../schema/errorCodes.ts';
import { AppError } from '../errors/AppError.ts';

/** Codes with which a token is refused. */
export type TokenRefusal = Extract<
  ErrorCode,
  | 'token_missing'
  | 'token_malformed'
  | 'token_invalid'
  | 'token_expired'
  | 'token_not_yet_valid'
  | 'ambiguous_credentials'
>;

/** The rule that a token broke; for logs and tests, never for the client, whom it would help to forge. */
export type TokenRule =
  | 'authorization'
  | 'size'
  | 'segments'
  | 'encoding'
  | 'header'
  | 'type'
  | 'key'
  | 'algorithm'
  | 'verification'
  | 'spelling'
  | 'claims'
  | 'issuer'
  | 'audience'
  | 'time';

const messages: Record<TokenRefusal, string> = {
  token_missing: 'This request needs an access token: Authorization: Bearer <ACCESS_TOKEN>.',
  token_malformed: 'The Authorization header does not hold one well-formed access token.',
  token_invalid: 'The access token is invalid. Sign in again.',
  token_expired: 'The access token has expired. Refresh it.',
  token_not_yet_valid: 'The access token is not valid yet. Check the system clocks.',
  ambiguous_credentials: 'The request has more than one Authorization value. Send exactly one.',
};

/** Parameters of the challenge (RFC 6750, 3 and 3.1); none if no token was sent. */
const challenges: Partial<Record<TokenRefusal, string>> = {
  token_malformed: 'error="invalid_token"',
  token_invalid: 'error="invalid_token"',
  token_expired: 'error="invalid_token", error_description="expired"',
  token_not_yet_valid: 'error="invalid_token"',
};

/** Returns the error of a refused token: public code, message and challenge. The violated rule is its `cause`. */
export function refuseToken(code: TokenRefusal, rule: TokenRule): AppError {
  const challenge = challenges[code];
  const error = new AppError(code, messages[code], challenge === undefined ? {} : { challenge });
  error.cause = rule;
  return error;
}
