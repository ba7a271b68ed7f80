import { type InstallationRole, installationRoles } from '../../../../schema/permissions.ts';
import { assertFetchable } from '../../../platform/http/openUrl.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { isDuplicateKey } from '../../../platform/installation/scoped.ts';
import { fetchDocument } from './fetchDocument.ts';
import { readIssuerKeys } from './issuerKeys.ts';
import {
  type ClaimMap,
  type IssuerAlgorithm,
  IssuerModel,
  type IssuerRecord,
  issuerAlgorithms,
} from './model.ts';

/** Configuration of an issuer; other members have a default. */
export interface NewIssuer {
  installationId: string;
  issuer: string;
  audiences: string[];
  displayName?: string;
  /** Found by discovery when it is left out. */
  jwksUri?: string;
  authorizedParties?: string[];
  algorithms?: string[];
  autoProvision?: boolean;
  claimMap?: Partial<ClaimMap>;
  roleMap?: { claim: string; role: string }[];
  maxTokenAgeSeconds?: number;
}

/** Installation that the issuer is added to. */
interface Surroundings {
  /** Our own `iss`: it can never be an external one. */
  ownIssuer: string;
  allowPrivate: boolean;
  now: () => number;
}

const defaultClaims: ClaimMap = {
  email: 'email',
  emailVerified: 'email_verified',
  name: 'name',
  roles: 'roles',
};
const defaultTokenAgeSeconds = 600;

/**
 * Stores an external issuer after a check. The URL of its keys is determined once and stored, and at least one of the
 * keys must be usable with the configuration.
 *
 * @throws Error that states the problem and the remedy
 */
export async function addIssuer(
  given: NewIssuer,
  { ownIssuer, allowPrivate, now }: Surroundings,
): Promise<IssuerRecord> {
  for (const url of [given.issuer, given.jwksUri ?? given.issuer])
    if (!URL.canParse(url)) throw new Error(`"${url}" is not a URL.`);
  const record = toRecord(given, new Date(now()));
  if (record.issuer === ownIssuer) throw new Error('this deployment’s own issuer cannot be an external one.');
  assertIssuerUrl(record.issuer, allowPrivate);
  record.jwksUri = given.jwksUri ?? (await discover(record.issuer, allowPrivate));
  assertFetchable(new URL(record.jwksUri), allowPrivate);
  const keys = await readIssuerKeys(record, allowPrivate);
  if (keys.size === 0) {
    throw new Error(
      `${record.jwksUri} has no key for ${record.algorithms.join(', ')}. Pass the algorithm that the issuer signs with, such as --algorithm ES256.`,
    );
  }
  try {
    await IssuerModel.create(record);
    return record;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    throw new Error(
      'one of these audiences of this issuer already belongs to an installation. A token must identify exactly one installation.',
      { cause: error },
    );
  }
}

function toRecord(given: NewIssuer, at: Date): IssuerRecord {
  const { issuer, audiences, authorizedParties = [], claimMap = {}, roleMap = [] } = given;
  const age = given.maxTokenAgeSeconds ?? defaultTokenAgeSeconds;
  if (audiences.length === 0)
    throw new Error('pass at least one audience, which is the name of this installation at the issuer.');
  if (!Number.isSafeInteger(age) || age < 30 || age > 86_400)
    throw new Error('the largest age of an exchanged token must be from 30 to 86400 seconds.');
  return {
    _id: newId('issuer'),
    installationId: given.installationId,
    displayName: given.displayName?.trim() || new URL(issuer).hostname,
    issuer,
    jwksUri: '',
    audiences: [...new Set(audiences)],
    authorizedParties: [...new Set(authorizedParties)],
    algorithms: (given.algorithms ?? ['ES256', 'RS256']).map(toAlgorithm),
    autoProvision: given.autoProvision ?? false,
    claimMap: { ...defaultClaims, ...claimMap },
    roleMap: roleMap.map(({ claim, role }) => ({ claim, role: toRole(role) })),
    maxTokenAgeSeconds: age,
    state: 'active',
    createdAt: at,
    updatedAt: at,
  };
}

function toAlgorithm(name: string): IssuerAlgorithm {
  const known = issuerAlgorithms.find((algorithm) => algorithm === name);
  if (known) return known;
  throw new Error(`"${name}" is not an algorithm of issuers. Use one of: ${issuerAlgorithms.join(', ')}.`);
}

function toRole(name: string): InstallationRole {
  const known = installationRoles.find((role) => role === name);
  if (known) return known;
  throw new Error(`"${name}" is not a role of an installation. Use one of: ${installationRoles.join(', ')}.`);
}

/** Checks the issuer's URL, which has no query and fragment (OpenID Connect Core 2). */
function assertIssuerUrl(issuer: string, allowPrivate: boolean): void {
  const url = new URL(issuer);
  assertFetchable(url, allowPrivate);
  if (url.search !== '' || url.hash !== '')
    throw new Error(`${issuer} has a query or a fragment, which an issuer must not have.`);
}

/** Fetches the discovery document (OpenID Connect Discovery 4). It must name the requested issuer (4.3). */
async function discover(issuer: string, allowPrivate: boolean): Promise<string> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const document = await fetchDocument(url, { allowPrivate }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`discovery failed: ${reason} Pass the URL of the keys with --jwks-uri.`, {
      cause: error,
    });
  });
  const { issuer: stated, jwks_uri: jwksUri } = (document ?? {}) as { issuer?: unknown; jwks_uri?: unknown };
  if (stated !== issuer) throw new Error(`${url} describes the issuer "${String(stated)}", not ${issuer}.`);
  if (typeof jwksUri !== 'string' || !URL.canParse(jwksUri)) throw new Error(`${url} contains no jwks_uri.`);
  return jwksUri;
}
