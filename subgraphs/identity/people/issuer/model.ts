import { Schema } from 'mongoose';
import type { InstallationRole } from '../../../../schema/permissions.ts';
import { defineModel } from '../../../platform/mongo/defineModel.ts';
import type { SignatureAlgorithm } from '../../../platform/token/VerificationKey.ts';

/** Algorithms that an external issuer may use. HMAC and `none` are excluded. */
export const issuerAlgorithms = [
  'ES256',
  'ES384',
  'RS256',
  'PS256',
] as const satisfies readonly SignatureAlgorithm[];

/** Name of such an algorithm. */
export type IssuerAlgorithm = (typeof issuerAlgorithms)[number];

/** Claims from which an account is created: the name of a claim, or a path as in `realm_access.roles`. */
export interface ClaimMap {
  email: string;
  emailVerified: string;
  name: string;
  roles: string;
}

/** An external OIDC issuer whose tokens one installation exchanges for its own. */
export interface IssuerRecord {
  /** `iss_…` */
  _id: string;
  installationId: string;
  /** Name on the sign-in page. */
  displayName: string;
  /** Exact value of `iss`. */
  issuer: string;
  /**
   * URL of its keys. It is determined once when the issuer is added, so later publications of the issuer cannot change
   * it.
   */
  jwksUri: string;
  /** Values of `aud` that identify this installation. */
  audiences: string[];
  /** Further clients that may be named in `azp`. */
  authorizedParties: string[];
  algorithms: IssuerAlgorithm[];
  /** Whether an unknown identity gets an account. */
  autoProvision: boolean;
  claimMap: ClaimMap;
  /** Roles of a new account by values of a claim; no value is used unmapped. */
  roleMap: { claim: string; role: InstallationRole }[];
  /** Seconds after `iat` in which a token can be exchanged. */
  maxTokenAgeSeconds: number;
  state: 'active' | 'disabled';
  createdAt: Date;
  updatedAt: Date;
}

const embedded = { _id: false, id: false } as const;

/**
 * Global, so that the pair (issuer, audience) is unique in the deployment, and a token is valid for one tenant only.
 */
export const IssuerModel = defineModel<IssuerRecord>(
  'issuers',
  new Schema<IssuerRecord>({
    _id: String,
    installationId: { type: String, required: true },
    displayName: { type: String, required: true },
    issuer: { type: String, required: true },
    jwksUri: { type: String, required: true },
    audiences: { type: [String], required: true },
    authorizedParties: { type: [String], required: true },
    algorithms: { type: [String], required: true },
    autoProvision: { type: Boolean, required: true },
    claimMap: new Schema<ClaimMap>(
      { email: String, emailVerified: String, name: String, roles: String },
      embedded,
    ),
    roleMap: [new Schema({ claim: String, role: String }, embedded)],
    maxTokenAgeSeconds: { type: Number, required: true },
    state: { type: String, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  })
    .index({ issuer: 1, audiences: 1 }, { unique: true })
    .index({ installationId: 1, issuer: 1 }),
);
