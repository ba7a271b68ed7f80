import { AppError, invalidField } from '../../../platform/errors/AppError.ts';
import type { IssueTokenInput } from '../../identity.generated.ts';

/**
 * Returns a text that the grant type requires.
 *
 * @throws AppError `validation_failed` (OAuth `invalid_request`) if it is missing or empty
 */
export function requiredMember(
  input: IssueTokenInput,
  member: Exclude<keyof IssueTokenInput, 'grantType'>,
): string {
  const value = input[member];
  if (typeof value === 'string' && value !== '') return value;
  throw invalidMember(member, `This member is required for the grant type "${input.grantType}".`);
}

/** Returns the error for an invalid member of a token request; `error` is its OAuth code (RFC 6749, 5.2). */
export function invalidMember(
  member: keyof IssueTokenInput,
  detail: string,
  error = 'invalid_request',
): AppError {
  const { code, details } = invalidField(`#/${member}`, detail);
  return new AppError(code, detail, { ...details, error });
}
