import type { ErrorCode } from '../../../../schema/errorCodes.ts';
import { AppError } from '../../../platform/errors/AppError.ts';

const messages: Partial<Record<ErrorCode, string>> = {
  token_malformed: 'The subject token is not a signed JWT in compact form.',
  token_expired: 'The subject token is too old. Sign in at the issuer again.',
  token_not_yet_valid: 'The subject token is not valid yet. Check the system clocks.',
  subject_unknown:
    'No account is linked to this identity. Sign in and exchange the token with `link_session`.',
};

/**
 * Returns the refusal of a subject token: OAuth's `invalid_request` (RFC 8693, 2.2.2) and the problem's own code. The
 * violated rule is the error's `cause`, for logs and tests; it is not disclosed to the client.
 */
export function refuseSubjectToken(code: ErrorCode, rule: string): AppError {
  const known = code in messages ? code : 'token_invalid';
  const detail = messages[known] ?? 'The subject token is not accepted in this installation.';
  const error = new AppError(known, detail, {
    error: 'invalid_request',
    challenge: 'error="invalid_token"',
  });
  error.cause = rule;
  return error;
}
