import type { SourceDocument } from '../../packages/schema-check/src/Contract.ts';
import type { Severity } from '../../packages/schema-check/src/kinds/Severity.ts';
import type { BaseContract, ContractSource } from '../../schema/check/Contract.ts';
import { type ContractCheck, checkContract } from '../../schema/check/checkContract.ts';
import { generateContract } from '../../schema/check/generateContract.ts';
import { assembleSdl } from '../../schema/compose/assembleSubgraphSdl.ts';
import { parseRouteDocument } from '../../schema/route/readRoutes.ts';
import { sharedTools } from './sharedTools.ts';

const tools = sharedTools();

/** A small contract in which every kind of change is possible: two subgraphs, seven routes, one frontend. */
const shop = {
  'subgraphs/shop': `
type Query {
  listing(id: ID!): Listing @guard__owner(type: "Listing", or: "listings:moderate") @guard__clientScope(name: "listings:read") @guard__rateClass(name: READ)
  listings(first: Int = 20, after: String, state: ListingState): ListingConnection! @guard__authenticated
  hits(text: String!, filter: HitFilter, size: Int! = 10): [Hit!]! @guard__permission(name: "seo:reports")
  node(id: ID!): Node @guard__authenticated
  categories: [Category!]! @guard__public
}
type Mutation {
  createListing(input: CreateListingInput!): ListingPayload! @guard__permission(name: "seo:edit", breadth: OWN) @guard__idempotent @guard__limits(arrays: 250, bodyBytes: 65536)
  updateListing(input: UpdateListingInput!): ListingPayload! @guard__dealerRole(atLeast: MANAGER, dealer: "input.id")
  closeListing(input: CloseListingInput!): ListingPayload! @guard__authenticated @guard__stepUp(maxAgeSeconds: 600)
}
interface Node { id: ID! }
type Listing implements Node @key(fields: "id") @guard__authenticated {
  id: ID! version: Int! title: String! subtitle: String state: ListingState! price: Price attributes: JSON
  internalNote: String @guard__permission(name: "listings:moderate") unusedCode: String unusedScore: Float createdAt: DateTime! url: URL
}
type Price { amount: MinorUnits! currency: String! }
type Category implements Node @guard__authenticated { id: ID! name(locale: String): String }
union Hit = Listing | Category
enum ListingState { DRAFT PUBLISHED CLOSED }
enum Sort { NEWEST CHEAPEST }
type ListingConnection { nodes: [Listing!]! pageInfo: PageInfo! }
type ListingPayload { listing: Listing! legacy: Legacy }
type Legacy { code: String }
input HitFilter { minimum: Int maximum: Int sort: Sort = NEWEST }
input CreateListingInput { title: String! subtitle: String state: ListingState = DRAFT price: PriceInput tags: [String!] idempotencyKey: String }
input PriceInput { amount: MinorUnits! currency: String! = "EUR" }
input UpdateListingInput { id: ID! title: String subtitle: String expectedVersion: Int }
input CloseListingInput { id: ID! reason: String }
`,
  'subgraphs/reviews': `
type Listing @key(fields: "id") { id: ID! rating: Int reviews: [Review!]! }
type Review { id: ID! text: String }
type Query { review(id: ID!): Review @guard__authenticated }
`,
  'rest-facade/identity/listing/listing.graphql': `
query listing($listingId: ID!) @route(method: GET, path: "/api/v1/listings/{listingId}", result: "listing", etag: "version", errors: ["legal_hold"]) {
  listing(id: $listingId) { id version title subtitle state price { amount currency } rating reviews { text } createdAt url }
}`,
  'rest-facade/identity/listing/listings.graphql': `
query listings($first: Int = 20 @parameter(name: "limit"), $after: String @parameter(name: "cursor"), $state: ListingState)
@route(method: GET, path: "/api/v1/listings", result: "listings", list: true) {
  listings(first: $first, after: $after, state: $state) { nodes { id title state } pageInfo { hasNextPage endCursor } }
}`,
  'rest-facade/identity/listing/createListing.graphql': `
mutation createListing($input: CreateListingInput!) @route(method: POST, path: "/api/v1/listings", status: 201, result: "createListing.listing", location: "/api/v1/listings/{id}") {
  createListing(input: $input) { listing { id version title } }
}`,
  'rest-facade/identity/listing/updateListing.graphql': `
mutation updateListing($input: UpdateListingInput!) @route(method: PATCH, path: "/api/v1/listings/{id}", result: "updateListing.listing", etag: "version") {
  updateListing(input: $input) { listing { id version title } }
}`,
  'rest-facade/identity/listing/closeListing.graphql': `
mutation closeListing($input: CloseListingInput!) @route(method: POST, path: "/api/v1/listings/{id}/close", result: "closeListing.listing") {
  closeListing(input: $input) { listing { id state } }
}`,
  'rest-facade/seo/hits.graphql': `
query hits($text: String!, $size: Int! = 10) @route(method: GET, path: "{rest_root}/seo-tools/v1/hits", result: "hits", list: true) {
  hits(text: $text, size: $size) { ... on Listing { id title } ... on Category { id name } }
}`,
  'rest-facade/seo/categories.graphql': `
query categories @route(method: GET, path: "{rest_root}/seo-tools/v1/categories", result: "categories", list: true, cache: "public, max-age=60") {
  categories { id name }
}`,
  'schema/operations/dashboard.graphql':
    'query dashboard($filter: HitFilter) { hits(text: "a", filter: $filter) { ... on Listing { attributes } } }',
};

/** Replacements of existing texts in a file. Null deletes the file, and a text replaces it. */
export type Edits = Readonly<
  Record<string, readonly (readonly [from: string, to: string])[] | string | null>
>;

function edited(edits: Edits): Map<string, string> {
  const files = new Map<string, string>(Object.entries(shop));
  for (const [file, edit] of Object.entries(edits)) {
    if (edit === null) files.delete(file);
    else if (typeof edit === 'string') files.set(file, edit);
    else files.set(file, edit.reduce(replaced, files.get(file) ?? ''));
  }
  return files;
}

function replaced(text: string, [from, to]: readonly [string, string]): string {
  if (!text.includes(from)) throw new Error(`the fixture has no ${JSON.stringify(from)}`);
  return text.replaceAll(from, to);
}

function under(files: ReadonlyMap<string, string>, folder: string): SourceDocument[] {
  return [...files].filter(([file]) => file.startsWith(`${folder}/`)).map(([file, text]) => ({ file, text }));
}

/** The edited fixture as a working tree. */
export function shopSource(edits: Edits = {}): ContractSource {
  const files = edited(edits);
  return {
    subgraphs: under(files, 'subgraphs').map(({ file, text }) => ({
      name: file.slice('subgraphs/'.length),
      url: 'http://127.0.0.1:1',
      sdl: assembleSdl([{ file, text }]),
    })),
    routes: under(files, 'rest-facade').flatMap(({ file, text }) =>
      parseRouteDocument(file.slice('rest-facade/'.length), text),
    ),
    routeDocuments: under(files, 'rest-facade'),
    operations: under(files, 'schema/operations'),
    logged: [],
    findings: [],
  };
}

/** The edited fixture as a commit. */
export function shopBase(edits: Edits = {}): BaseContract {
  const { composed, openApi, findings } = generateContract(shopSource(edits), tools.compose);
  if (!composed || findings.length > 0) throw new Error(JSON.stringify(findings));
  const files = edited(edits);
  return {
    supergraph: composed.supergraph,
    api: composed.api,
    openApi,
    operations: under(files, 'schema/operations'),
    routeDocuments: under(files, 'rest-facade'),
  };
}

const base = shopBase();

/** Report of the check for the edited fixture, compared with the unchanged fixture. */
export function checkShop(edits: Edits): ContractCheck {
  return checkContract(base, shopSource(edits), tools);
}

/** Ids of the reported changes with these severities. */
export function idsOf(edits: Edits, ...severities: Severity[]): string[] {
  const { changes } = checkShop(edits);
  return changes.filter(({ severity }) => severities.includes(severity)).map(({ id }) => id);
}
