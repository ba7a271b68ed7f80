/**
 * The callers and their rights. The tables are written from the design and not from the product, so a permission of the
 * wrong role, or a directive with a wrong name, causes a wrong cell.
 */

/** A kind of caller. */
export interface Person {
  /** Result of the credentials: no identity, an identity, or a refusal with this code. */
  readonly identity: 'none' | 'accepted' | { readonly refused: string };
  /** Installation of the account. */
  readonly home: 'demo' | 'other';
  readonly state: 'active' | 'unverified' | 'suspended' | 'deletion_scheduled';
  readonly roles: readonly string[];
  /** The sign-in was half an hour ago. */
  readonly isStale?: true;
  /** The role requires a second factor, which the sign-in did not have. */
  readonly lacksMfa?: true;
  /** Operates the platform, without an account in the installation. */
  readonly isOperator?: true;
  /** Scopes of an API client. A scope restricts the client and does not replace a permission. */
  readonly scopes?: readonly string[];
  /** An API client that calls from outside of its allowed networks. */
  readonly isAway?: true;
  /** Dealer that the caller acts for, and in which role; `south`: restricted to its second location. */
  readonly dealer?: { readonly name: 'garage' | 'rival'; readonly role: DealerRole; readonly only?: 'south' };
}

/** Roles inside a dealer, in ascending order. */
export const dealerRoles = ['agent', 'manager', 'owner'] as const;
export type DealerRole = (typeof dealerRoles)[number];

const person = (options: Partial<Person> = {}): Person => ({
  identity: 'accepted',
  home: 'demo',
  state: 'active',
  roles: ['buyer', 'seller'],
  ...options,
});

/** Rights of callers who are refused for another reason. They have all rights, so that a missing check admits them. */
const mighty = {
  roles: ['buyer', 'seller', 'editor', 'translator', 'support', 'moderator', 'finance', 'installation_admin'],
  dealer: { name: 'garage', role: 'owner' },
} as const;

/** All scopes of API clients. */
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

/** An API client. It acts as manager of its dealer within its scopes, and has no permissions. */
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

/** Roles that require a second factor in the installation of the matrix. */
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

/** API clients, which owners create. */
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

/** Permissions that another permission implies. */
export const implied: Readonly<Record<string, readonly string[]>> = {
  'translations:manage': ['translations:contribute', 'translations:read'],
  'translations:contribute': ['translations:read'],
  'seo:admin': ['seo:edit', 'seo:reports'],
};

/** Permissions of every member of a dealer for own objects. */
export const ofDealers: readonly string[] = [
  'seo:edit',
  'seo:reports',
  'translations:read',
  'translations:manage',
];

/** The scope that an API client needs for the permissions of an interface. */
const scopeOfInterface: Readonly<Record<string, string>> = {
  seo: 'content:seo',
  translations: 'content:translate',
};

/** Permissions of the role `seller` for own objects. */
export const ofSellers: readonly string[] = ['seo:edit'];

/** Whether a caller has permissions: not if suspended, leaving, without a required factor, or of another installation. */
export function isInOrder(who: Who): boolean {
  const { state, lacksMfa, isAway }: Person = people[who];
  return ['active', 'unverified'].includes(state) && !lacksMfa && !isAway;
}

/** Breadth of a permission: every object of the installation, the caller's own objects, or none. */
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
