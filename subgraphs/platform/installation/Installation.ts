import type { InstallationRole } from '../../../schema/permissions.ts';

/** The tenant: everything belongs to exactly one installation and is invisible from every other one. */
export interface Installation {
  /** `ins_…` */
  readonly id: string;
  readonly name: string;
  /** Lower-case host names, without port, whose requests belong to it. */
  readonly hosts: readonly string[];
  /** Absolute URL without trailing slash; from the configuration, never from a request. */
  readonly baseUrl: string;
  /** ISO 4217. */
  readonly defaultCurrency: string;
  /** BCP 47 tags of its supported languages. */
  readonly locales: readonly string[];
  readonly settings: InstallationSettings;
}

/** Choices of an installation; managed in GraphQL by its administrators. */
export interface InstallationSettings {
  /** `pre`: a listing is published after its review; `post`: immediately. */
  readonly moderation: 'pre' | 'post';
  /** Days a published listing lives, 7 to 365. */
  readonly listingLifeDays: number;
  /** Whether registration reveals that an address is taken (409), or responds to both cases alike. */
  readonly revealExistingAccounts: boolean;
  /** Whether every user may post privately, or the role `seller` must be granted. */
  readonly privateSelling: boolean;
  /** Roles whose holders must use a second factor; none by default. */
  readonly mfaRequiredRoles: readonly InstallationRole[];
  /** Current version of the consent text by purpose; an older one is refused with `consent_version_outdated`. */
  readonly consentVersions: Readonly<Record<ConsentPurpose, string>>;
  /** Page of the frontend that links in mails lead to; null: the product's own pages under `{baseUrl}/account`. */
  readonly accountUrl: string | null;
  /** Commission of dealers that are created later; none by default. */
  readonly dealerCommission: {
    readonly rateBps: number;
    /** Minor units of the dealer's currency a sale. */
    readonly fixedAmount: number | null;
    readonly taxRateBps: number;
  };
  /** Days for which what a dealer has earned waits before it can be paid out, 0 to 30. */
  readonly earningsHeldDays: number;
  /** Paid services, in addition to the prices of listings. */
  readonly payments: {
    /** Part of the price that a deposit is, in basis points. */
    readonly depositRateBps: number;
    /** Minor units of the default currency, and how long it lasts. */
    readonly promotions: Readonly<
      Record<'featured' | 'top', { readonly amount: number; readonly days: number }>
    >;
    /** Bank account for transfers if the provider is `manual`; null if none is shown. */
    readonly bankAccount: {
      readonly holder: string;
      readonly iban: string;
      readonly bic: string | null;
    } | null;
  };
}

/** Purposes of consent. */
export const consentPurposes = ['terms', 'privacy', 'marketing', 'analytics'] as const;

/** Name of a consent's purpose. */
export type ConsentPurpose = (typeof consentPurposes)[number];

/** Default settings of an installation. */
export const defaultSettings: InstallationSettings = {
  moderation: 'post',
  listingLifeDays: 60,
  revealExistingAccounts: true,
  privateSelling: true,
  mfaRequiredRoles: [],
  consentVersions: { terms: '1', privacy: '1', marketing: '1', analytics: '1' },
  accountUrl: null,
  dealerCommission: { rateBps: 0, fixedAmount: null, taxRateBps: 0 },
  earningsHeldDays: 7,
  payments: {
    depositRateBps: 1000,
    promotions: { featured: { amount: 990, days: 7 }, top: { amount: 1990, days: 7 } },
    bankAccount: null,
  },
};

/** Returns the audience of the access tokens of an installation (RFC 9068 `aud`). */
export function audienceOf(installation: Installation): string {
  return `${installation.baseUrl}/api/v1`;
}
