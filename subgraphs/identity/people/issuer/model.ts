import { Schema } from 'mongoose';
import type { InstallationRole } from '../../../../schema/permissions.ts';
import { defineModel } from '../../../platform/mongo/defineModel.ts';
import type { SignatureAlgorithm } from '../../../platform/token/VerificationKey.ts';

/** Algorithms that an external issuer may sign with; HMAC and `none` have no place here. */
export const issuerAlgorithms = [
  'ES256',
  'ES384',
  'RS256',
  'PS256',
] as const satisfies readonly SignatureAlgorithm[];

/** Name of such an algorithm. */
export type IssuerAlgorithm = (typeof issuerAlgorithms)[number];

/** Claims that say what an account is made of: a name of a claim, or a path as in `realm_access.roles`. */
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
  /** Exactly what `iss` says. */
  issuer: string;
  /** Where its keys are; found once, when the issuer is added, so that nothing it publishes later moves it. */
  jwksUri: string;
  /** Values of `aud` that mean this installation. */
  audiences: string[];
  /** Further clients whose name may stand in `azp`. */
  authorizedParties: string[];
  algorithms: IssuerAlgorithm[];
  /** Whether an unknown identity gets an account. */
  autoProvision: boolean;
  claimMap: ClaimMap;
  /** Roles of a new account by what the issuer calls them; nothing is taken as it was sent. */
  roleMap: { claim: string; role: InstallationRole }[];
  /** Seconds after `iat` in which a token can be exchanged. */
  maxTokenAgeSeconds: number;
  state: 'active' | 'disabled';
  createdAt: Date;
  updatedAt: Date;
}

const embedded = { _id: false, id: false } as const;

/** Global, so that the pair (issuer, audience) is unique in the deployment: no token can be meant for two tenants. */
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
