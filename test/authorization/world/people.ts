/**
 * The callers, and what the design gives them. Everything here is written from the design's tables, none of it from
 * the product's: a permission that the product gives to the wrong role, or a directive with the wrong name, shows up
 * as a wrong cell.
 */

/** A kind of caller. */
export interface Person {
  /** What the credentials are worth: nothing, a refusal with this code, or an identity. */
  readonly identity: 'none' | 'accepted' | { readonly refused: string };
  /** Installation of the account. */
  readonly home: 'demo' | 'other';
  readonly state: 'active' | 'unverified' | 'suspended' | 'deletion_scheduled';
  readonly roles: readonly string[];
  /** The sign-in was half an hour ago. */
  readonly isStale?: true;
  /** The role demands a second factor, and the sign-in was without. */
  readonly lacksMfa?: true;
  /** runs the platform and has no account in the installation. */
  readonly isOperator?: true;
  /** Of an API client: what it may do. A scope narrows and never satisfies a permission. */
  readonly scopes?: readonly string[];
  /** An API client that calls from outside the networks it is held to. */
  readonly isAway?: true;
  /** Dealer that the caller acts for, and in which role; `south`: restricted to its second location. */
  readonly dealer?: { readonly name: 'garage' | 'rival'; readonly role: DealerRole; readonly only?: 'south' };
}

/** Roles inside a dealer, the lowest first. */
export const dealerRoles = ['agent', 'manager', 'owner'] as const;
export type DealerRole = (typeof dealerRoles)[number];

const person = (options: Partial<Person> = {}): Person => ({
  identity: 'accepted',
  home: 'demo',
  state: 'active',
  roles: ['buyer', 'seller'],
  ...options,
});

/** Callers who are refused by state hold every other right, so that a missing or late check admits them. */
const mighty = {
  roles: ['buyer', 'seller', 'editor', 'translator', 'support', 'moderator', 'finance', 'installation_admin'],
  dealer: { name: 'garage', role: 'owner' },
} as const;

/** every scope that an API client can have. */
export const everyScope = [
  'dealer:read',
  'listings:read',
  'listings:write',
  'media:read',
  'media:write',
  'messages:read',
  'messages:write',
  'payments:read',
  'content:seo',
  'content:translate',
] as const;

/** an API client acts as manager of its one dealer within its scopes, and holds no permission. */
const machine = (
  name: 'garage' | 'rival',
  scopes: readonly string[],
  options: Partial<Person> = {},
): Person => person({ roles: [], dealer: { name, role: 'manager' }, scopes, ...options });

const humans = {
  stranger: person({ identity: 'none' }),
  forger: person({ ...mighty, identity: { refused: 'token_invalid' } }),
  babbler: person({ identity: { refused: 'token_malformed' } }),
  expired: person({ ...mighty, identity: { refused: 'token_expired' } }),
  signedOut: person({ ...mighty, identity: { refused: 'session_revoked' } }),
  erased: person({ ...mighty, identity: { refused: 'subject_unknown' } }),
  foreigner: person({ roles: mighty.roles, home: 'other' }),
  suspended: person({ ...mighty, state: 'suspended' }),
  leaving: person({ ...mighty, state: 'deletion_scheduled' }),
  stale: person({ ...mighty, isStale: true }),
  withoutMfa: person({ ...mighty, lacksMfa: true }),
  unverified: person({ state: 'unverified' }),
  unverifiedOwner: person({ state: 'unverified', dealer: { name: 'garage', role: 'owner' } }),
  buyer: person({ roles: ['buyer'] }),
  seller: person(),
  otherSeller: person(),
  owner: person({ dealer: { name: 'garage', role: 'owner' } }),
  manager: person({ dealer: { name: 'garage', role: 'manager' } }),
  agent: person({ dealer: { name: 'garage', role: 'agent' } }),
  agentElsewhere: person({ dealer: { name: 'garage', role: 'agent', only: 'south' } }),
  rival: person({ dealer: { name: 'rival', role: 'owner' } }),
  editor: person({ roles: ['editor'] }),
  translator: person({ roles: ['translator'] }),
  moderator: person({ roles: ['moderator'] }),
  support: person({ roles: ['support'] }),
  finance: person({ roles: ['finance'] }),
  administrator: person({ roles: ['installation_admin'] }),
} as const satisfies Record<string, Person>;

const machines = {
  client: machine('garage', everyScope),
  narrowClient: machine('garage', ['dealer:read']),
  awayClient: machine('garage', everyScope, { isAway: true }),
  rivalClient: machine('rival', everyScope),
} as const satisfies Record<string, Person>;

const operators = {
  operator: person({ roles: ['operator'], isOperator: true }),
} as const satisfies Record<string, Person>;

/** The principals of the matrix. */
export const people = { ...humans, ...operators, ...machines } as const;

/** Roles that demand a second factor in the demonstration of the matrix. */
export const mfaRequiredRoles = ['support', 'moderator', 'finance', 'installation_admin'] as const;

/** Name of a person of the matrix. */
export type Human = keyof typeof humans;

/** Name of an API client of the matrix. */
export type Machine = keyof typeof machines;

/** Name of an operator of the matrix. */
export type Operator = keyof typeof operators;

/** Name of a principal of the matrix. */
export type Who = Human | Operator | Machine;

/** Callers with an account. */
export const everyHuman = Object.keys(humans) as Human[];

/** Those whom an owner has made. */
export const everyMachine = Object.keys(machines) as Machine[];

/** Operators of the platform. */
export const everyOperator = Object.keys(operators) as Operator[];

/** All of them, in one order. */
export const everybody: readonly Who[] = [...everyHuman, ...everyOperator, ...everyMachine];

/** permissions.json: the installation roles that hold a permission over every object of the installation. */
export const holders: Readonly<Record<string, readonly string[]>> = {
  'users:read': ['support', 'moderator', 'installation_admin'],
  'users:suspend': ['moderator', 'installation_admin'],
  'users:sessions-revoke': ['support', 'installation_admin'],
  'roles:read': ['installation_admin'],
  'roles:assign': ['installation_admin'],
  'audit:read': ['installation_admin'],
  'dealers:read': ['support', 'moderator', 'finance', 'installation_admin'],
  'dealers:write': ['installation_admin'],
  'dealers:verify': ['moderator', 'installation_admin'],
  'dealers:suspend': ['moderator', 'installation_admin'],
  'listings:moderate': ['moderator', 'installation_admin'],
  'reports:manage': ['support', 'moderator', 'installation_admin'],
  'media:moderate': ['moderator', 'installation_admin'],
  'messages:moderate': ['moderator', 'installation_admin'],
  'payments:read': ['support', 'finance', 'installation_admin'],
  'payments:refund': ['finance', 'installation_admin'],
  'disputes:resolve': ['finance'],
  'payouts:hold': ['finance', 'operator'],
  'payouts:release': ['operator'],
  'ledger:adjust': ['operator'],
  'plans:read': ['operator'],
  'usage:read': ['installation_admin', 'operator'],
  'seo:edit': ['editor', 'installation_admin'],
  'seo:ai': ['editor', 'installation_admin'],
  'seo:admin': ['installation_admin'],
  'translations:read': ['editor', 'translator', 'installation_admin'],
  'translations:manage': ['editor', 'installation_admin'],
  'seo:reports': ['editor', 'installation_admin'],
  'translations:contribute': ['translator', 'editor'],
  'languages:manage': ['installation_admin'],
  'pages:manage': ['editor', 'installation_admin'],
};

/** permissions that come with another one. */
export const implied: Readonly<Record<string, readonly string[]>> = {
  'translations:manage': ['translations:contribute', 'translations:read'],
  'translations:contribute': ['translations:read'],
  'seo:admin': ['seo:edit', 'seo:reports'],
};

/** what every member of a dealer holds for own objects. */
export const ofDealers: readonly string[] = [
  'seo:edit',
  'seo:reports',
  'translations:read',
  'translations:manage',
];

/** the scope without which an API client holds nothing of an interface. */
const scopeOfInterface: Readonly<Record<string, string>> = {
  seo: 'content:seo',
  translations: 'content:translate',
};

/** what the role `seller` holds for own objects. */
export const ofSellers: readonly string[] = ['seo:edit'];

/** a caller who is suspended, leaves, lacks a demanded second factor, or is of another installation holds nothing. */
export function isInOrder(who: Who): boolean {
  const { state, lacksMfa, isAway }: Person = people[who];
  return ['active', 'unverified'].includes(state) && !lacksMfa && !isAway;
}

/** a capability reaches every object of the installation, the caller's own, or nothing. */
export function breadthOf(who: Who, permission: string): 'any' | 'own' | null {
  const { roles, dealer, scopes }: Person = people[who];
  const [family = ''] = permission.split(':');
  if (scopes && !scopes.includes(scopeOfInterface[family] ?? '')) return null;
  const sources = [permission, ...Object.keys(implied).filter((name) => implied[name]?.includes(permission))];
  const holds = (name: string) => roles.some((role) => holders[name]?.includes(role));
  if (sources.some(holds)) return 'any';
  const owns = (name: string) =>
    (dealer !== undefined && ofDealers.includes(name)) ||
    (roles.includes('seller') && ofSellers.includes(name));
  return sources.some(owns) ? 'own' : null;
}
