import { AppError } from '../../../platform/errors/AppError.ts';
import type { IssueTokenInput } from '../../identity.generated.ts';

/** Name of a sign-in that names no application. */
export const unnamedApplication = 'first-party';

const applicationPattern = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * Returns the first-party application of a sign-in. It has a name and no secret. A name of the form `cli_…` is refused,
 * because logs would show it as an API client.
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
