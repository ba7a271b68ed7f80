import { AppError } from '../../../platform/errors/AppError.ts';
import type { IssueTokenInput } from '../../identity.generated.ts';

/** Name of a sign-in that names no application. */
export const unnamedApplication = 'first-party';

const applicationPattern = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * The first-party application that a person signs in with. It has a name and no secret; API clients are known by
 * `cli_…`, and an application that calls itself so would pass for one in logs.
 *
 * @throws AppError `client_invalid`
 */
export function readApplication({
  clientId,
  clientSecret,
}: Pick<IssueTokenInput, 'clientId' | 'clientSecret'>): string {
  const name = clientId ?? unnamedApplication;
  if (applicationPattern.test(name) && !name.startsWith('cli_') && !clientSecret) return name;
  throw new AppError(
    'client_invalid',
    'This is not the client id of a first-party application without a secret.',
    {
      error: 'invalid_client',
    },
  );
}
