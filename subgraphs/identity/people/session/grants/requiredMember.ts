import { AppError, invalidFields } from '../../../../platform/errors/AppError.ts';
import type { IssueTokenInput } from '../../../identity.generated.ts';

/**
 * A text that the grant type cannot do without.
 *
 * @throws AppError `validation_failed` (OAuth `invalid_request`) if it is missing or empty
 */
export function requiredMember(
  input: IssueTokenInput,
  member: Exclude<keyof IssueTokenInput, 'grantType'>,
): string {
  const value = input[member];
  if (typeof value === 'string' && value !== '') return value;
  const detail = `The grant type "${input.grantType}" needs this member.`;
  const failure = invalidFields([{ pointer: `#/${member}`, code: 'validation_failed', detail }]);
  throw new AppError(failure.code, detail, { ...failure.details, error: 'invalid_request' });
}
