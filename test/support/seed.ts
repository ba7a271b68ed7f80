import { randomBytes } from 'node:crypto';
import type { Model, QueryFilter } from 'mongoose';
import type { InstallationRole } from '../../schema/permissions.ts';
import { createInstallation, type NewInstallation } from '../../subgraphs/identity/createInstallation.ts';
import { createDefaultCategories } from '../../subgraphs/identity/listings/category/createDefaultCategories.ts';
import { CategoryModel } from '../../subgraphs/identity/listings/category/model.ts';
import { type NewDealer, storeDealer } from '../../subgraphs/identity/people/dealer/storeDealer.ts';
import { openSession, type SignInFacts } from '../../subgraphs/identity/people/session/openSession.ts';
import { createUser, type NewUser } from '../../subgraphs/identity/people/user/createUser.ts';
import { hashPassword } from '../../subgraphs/identity/people/user/hashPassword.ts';
import { AuditEventModel, type AuditEventRecord } from '../../subgraphs/platform/audit/store/model.ts';
import type { Installation } from '../../subgraphs/platform/installation/Installation.ts';
import {
  type ScopedCollection,
  type ScopedRecord,
  scoped,
} from '../../subgraphs/platform/installation/scoped.ts';
import { hasOperation, type Operations, operationsOf } from './operations.ts';
import type { TestStack } from './stack/openTestStack.ts';
import type { RestAnswer, RestCall } from './stack/serveStack.ts';

/** A caller of one installation: every operation by name, and REST. */
export type Caller = Omit<Operations, 'listing'> & {
  /** All operations, `listing` included. */
  readonly api: Operations;
  /** Absent for a visitor. */
  readonly token: string | undefined;
  /** Calls a REST route of the caller's installation. */
  rest(method: string, path: string, call?: Omit<RestCall, 'host' | 'token'>): Promise<RestAnswer>;
};

/** An authenticated user. */
export type SeededUser = Caller & {
  readonly id: string;
  readonly email: string;
  readonly token: string;
  readonly refreshToken: string;
  readonly sessionId: string;
  /** Creates a private listing of the user. */
  listing(options?: ListingOptions): Promise<SeededListing>;
};

/** A dealer with its owner. */
export interface SeededDealer {
  id: string;
  slug: string;
  owner: SeededUser;
  /** `loc_…` in the order in which they were given. */
  locationIds: string[];
  /** Creates a listing of the dealer as its owner. */
  listing(options?: ListingOptions): Promise<SeededListing>;
}

export interface SeededListing {
  id: string;
  slug: string | null;
  version: number;
}

/** Further members of `CreateListingInput`, and whether to publish. */
interface ListingOptions {
  published?: boolean;
  [member: string]: unknown;
}

/** Sign-in of a seeded user. Default: with only a password. */
interface SignIn {
  amr?: SignInFacts['amr'];
}

/** An installation and its users. */
export interface SeededInstallation {
  installation: Installation;
  /** A caller without a token. */
  visitor: Caller;
  /** A caller with this token, for example from another sign-in. */
  caller(token: string): Caller;
  /** Ids of the default categories by slug. */
  categories: Readonly<Record<string, string>>;
  user(options?: Partial<NewUser> & SignIn): Promise<SeededUser>;
  /** A user who sells. Equal to `user`, for readability. */
  seller(options?: Partial<NewUser> & SignIn): Promise<SeededUser>;
  /** A user with these roles. */
  staff(...roles: InstallationRole[]): Promise<SeededUser>;
  dealer(options?: Partial<NewDealer> & { owner?: SeededUser }): Promise<SeededDealer>;
  /** The stored records of the installation. */
  records<R extends ScopedRecord>(model: Model<R>): ScopedCollection<R>;
  /** Audit events of the installation, in ascending order of creation. */
  audits(filter: QueryFilter<AuditEventRecord>): Promise<AuditEventRecord[]>;
}

/**
 * Creates records through operations, with unique names: `const shop = await seed(stack).installation()`, then
 * `shop.user()`, `shop.dealer()`, `dealer.listing({ published: true })`. Needs the identity subgraph in the stack.
 */
export function seed(stack: TestStack) {
  return {
    /** A new installation. */
    async installation(options: Partial<NewInstallation> = {}): Promise<SeededInstallation> {
      const name = unique('shop');
      const host = `${name}.localhost`;
      const installation = await createInstallation(
        { name, hosts: [host], baseUrl: `http://${host}`, locales: ['en', 'de'], ...options },
        stack.platform,
      );
      await stack.platform.installations.refresh();
      return seedInstallation(stack, installation);
    },
    /** An existing installation, such as `stack.demo`. */
    in: (installation: Installation): Promise<SeededInstallation> => seedInstallation(stack, installation),
  };
}

/** A unique name. */
export function unique(prefix: string): string {
  return `${prefix}-${randomBytes(5).toString('hex')}`;
}

async function seedInstallation(stack: TestStack, installation: Installation): Promise<SeededInstallation> {
  const categories = await categoriesOf(stack, installation);
  const shop: SeededInstallation = {
    installation,
    categories,
    visitor: callerOf(stack, installation, undefined),
    caller: (token) => callerOf(stack, installation, token),
    user: (options) => seedUser(stack, shop, options),
    seller: (options) => seedUser(stack, shop, options),
    staff: (...roles) => seedUser(stack, shop, { roles, accountType: 'staff' }),
    dealer: (options) => seedDealer(stack, shop, options),
    records: (model) => scoped(model, installation.id),
    audits: (filter) => shop.records(AuditEventModel).find(filter, { sort: { at: 1, _id: 1 } }),
  };
  return shop;
}

/** Ids of categories by slug. They are created if the installation has none. */
async function categoriesOf(
  stack: TestStack,
  { id }: Installation,
): Promise<SeededInstallation['categories']> {
  const stored = await scoped(CategoryModel, id).find({});
  return stored.length > 0
    ? Object.fromEntries(stored.map(({ slug, _id }) => [slug, _id]))
    : createDefaultCategories(id, new Date(stack.platform.now()));
}

async function seedUser(
  stack: TestStack,
  shop: SeededInstallation,
  { amr = ['pwd'], ...options }: Partial<NewUser> & SignIn = {},
): Promise<SeededUser> {
  const name = unique('user');
  const { password, ...facts } = options;
  const record = await createUser(
    shop.installation,
    {
      email: `${name}@example.test`,
      displayName: name,
      emailVerified: true,
      ...(password !== undefined && { passwordHash: await hashOnce(stack, password) }),
      ...facts,
    },
    stack.platform,
  );
  const context = stack.contextFor({ installation: shop.installation });
  const { accessToken, refreshToken, sessionId } = await openSession(context, record, { amr });
  return callerOf(stack, shop.installation, accessToken, {
    id: record._id,
    email: record.email,
    token: accessToken,
    refreshToken,
    sessionId,
    listing: (listing?: ListingOptions) => seedListing(stack, shop, accessToken, listing),
  });
}

/** Members of a caller besides its operations. They take precedence over operations with the same name. */
function callerOf<Members extends object>(
  stack: TestStack,
  installation: Installation,
  token: string | undefined,
  members?: Members,
): Caller & Members {
  const api = operationsOf(stack, { as: token ?? null, installation });
  const own = {
    api,
    token,
    rest: (method: string, path: string, call: Omit<RestCall, 'host' | 'token'> = {}) =>
      stack.rest(method, path, { ...call, host: installation.hosts[0], token }),
    ...members,
  };
  return new Proxy(own, {
    get: (target, name) =>
      typeof name === 'string' && !(name in target) && hasOperation(stack, name)
        ? Reflect.get(api, name)
        : Reflect.get(target, name),
  }) as unknown as Caller & Members;
}

/** Hashes by password, so that a common password is hashed once per test file. */
const hashes = new Map<string, Promise<string>>();

function hashOnce({ platform }: TestStack, password: string): Promise<string> {
  const known = hashes.get(password) ?? hashPassword(platform.secrets, password);
  hashes.set(password, known);
  return known;
}

async function seedDealer(
  stack: TestStack,
  shop: SeededInstallation,
  { owner, members = [], ...options }: Partial<NewDealer> & { owner?: SeededUser } = {},
): Promise<SeededDealer> {
  const person = owner ?? (await shop.user());
  const tradeName = unique('garage');
  const record = await storeDealer(
    shop.installation,
    {
      tradeName,
      contactEmail: `${tradeName}@example.test`,
      state: 'active',
      locations: [location('North'), location('South')],
      ...options,
      members: [{ userId: person.id, role: 'owner' }, ...members],
    },
    stack.platform,
  );
  // The caller may be cached without the membership for seconds.
  for (const { userId } of record.members) stack.platform.forgetPrincipal({ userId });
  return {
    id: record._id,
    slug: record.slug,
    owner: person,
    locationIds: record.locations.map(({ id }) => id),
    listing: (listing) => seedListing(stack, shop, person.token, { dealerId: record._id, ...listing }),
  };
}

function location(name: string): NonNullable<NewDealer['locations']>[number] {
  return {
    name,
    address: {
      line1: 'Hauptstr. 1',
      line2: null,
      postalCode: '10115',
      city: 'Berlin',
      region: null,
      country: 'DE',
    },
    geo: { lat: 52.53214, lng: 13.38765 },
    phone: '+4930123456',
    default: name === 'North',
  };
}

const created = /* GraphQL */ `mutation ($input: CreateListingInput!) {
  createListing(input: $input) { listing { id slug version } }
}`;
const published = /* GraphQL */ `mutation ($input: PublishListingInput!) {
  publishListing(input: $input) { listing { id slug version } }
}`;

async function seedListing(
  stack: TestStack,
  { installation, categories }: SeededInstallation,
  token: string,
  { published: isPublished = false, ...members }: ListingOptions = {},
): Promise<SeededListing> {
  const call = async (source: string, input: object): Promise<SeededListing> => {
    const result = await stack.execute(source, { input }, { as: token, installation, subgraph: 'identity' });
    if (result.errors) throw result.errors[0];
    return Object.values(result.data ?? {})[0].listing;
  };
  const draft = await call(created, { ...completeListing(categories), ...members });
  return isPublished ? call(published, { listingId: draft.id }) : draft;
}

/** All members that publication requires. */
export function completeListing(categories: Readonly<Record<string, string>>): Record<string, unknown> {
  return {
    categoryId: categories.cars,
    title: unique('Skoda Octavia'),
    description: 'One owner, **full** service history, no accidents.',
    language: 'en',
    condition: 'USED',
    price: { amount: 1_245_000, currency: 'EUR' },
    attributes: {
      make: 'skoda',
      model: 'octavia',
      firstRegistration: '2019-04',
      mileageKm: 84_000,
      fuel: 'diesel',
      transmission: 'manual',
    },
    location: { postalCode: '10115', city: 'Berlin', country: 'DE', geo: { lat: 52.53214, lng: 13.38765 } },
  };
}
