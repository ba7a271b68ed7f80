import type { FieldProblem } from '../../../../schema/Problem.ts';
import { type ClientScope, clientScopes } from '../../../../schema/permissions.ts';
import { invalidFields, problem } from '../../../platform/errors/AppError.ts';
import type { CreateDealerApiClientInput } from '../../identity.generated.ts';
import { isDeceptive } from '../../kernel/text/checkLine.ts';
import type { ApiClientRecord } from './model.ts';
import { toNetwork } from './toNetwork.ts';

const longestName = 60;
const mostNetworks = 20;

type Members = Pick<ApiClientRecord, 'name' | 'scopes' | 'allowedCidrs' | 'expiresAt'>;

/**
 * Normalizes the input of a user.
 *
 * @throws AppError with every invalid member
 */
export function readApiClient(input: CreateDealerApiClientInput, now: number): Members {
  const problems = [
    ...checkName(input.name),
    ...checkScopes(input.scopes),
    ...checkNetworks(input.allowedCidrs ?? []),
    ...checkExpiry(input.expiresAt, now),
  ];
  if (problems.length > 0) throw invalidFields(problems);
  return {
    name: input.name.trim(),
    scopes: clientScopes.filter((scope) => input.scopes.includes(scope)),
    allowedCidrs: [...new Set((input.allowedCidrs ?? []).map((text) => toNetwork(text) ?? text))],
    expiresAt: input.expiresAt ?? null,
  };
}

export function isClientScope(text: string): text is ClientScope {
  return (clientScopes as readonly string[]).includes(text);
}

function checkName(name: string): FieldProblem[] {
  const length = [...name.trim()].length;
  if (length >= 1 && length <= longestName && !isDeceptive(name)) return [];
  return [
    problem(
      '#/name',
      `A name must have 1 to ${longestName} characters and no control or text-direction characters.`,
    ),
  ];
}

function checkScopes(scopes: readonly string[]): FieldProblem[] {
  if (scopes.length === 0) return [problem('#/scopes', 'An API client needs at least one scope.')];
  return scopes.flatMap((scope, index) =>
    isClientScope(scope)
      ? []
      : [problem(`#/scopes/${index}`, `A scope must be one of: ${clientScopes.join(', ')}.`)],
  );
}

function checkNetworks(cidrs: readonly string[]): FieldProblem[] {
  if (cidrs.length > mostNetworks)
    return [problem('#/allowedCidrs', `An API client can have at most ${mostNetworks} networks.`)];
  return cidrs.flatMap((cidr, index) =>
    toNetwork(cidr) === null
      ? [
          problem(
            `#/allowedCidrs/${index}`,
            'A network must be its first address and a prefix length, such as 203.0.113.0/24, 203.0.113.7/32 or 2001:db8::/32.',
          ),
        ]
      : [],
  );
}

function checkExpiry(expiresAt: Date | null | undefined, now: number): FieldProblem[] {
  if (!expiresAt || expiresAt.getTime() > now) return [];
  return [problem('#/expiresAt', 'The expiry time must be in the future.')];
}
