import { buildSubgraphSchema } from '@apollo/subgraph';
import { parse } from 'graphql';
import type { RequestContext } from '../../subgraphs/platform/context/RequestContext.ts';
import { askLocally } from '../../subgraphs/platform/federation/askLocally.ts';
import {
  type AskOwner,
  type OwnedContent,
  type OwnedType,
  ownedTypes,
} from '../../subgraphs/platform/federation/askOwner.ts';

/** A record of the subgraph that stands in for the owner. */
export interface NeighbourRecord {
  type: OwnedType;
  id: string;
  installationId: string;
  /** `usr_…` or `dlr_…`. */
  ownerId: string;
  contentVersion: number;
  content: OwnedContent;
}

/** An owning subgraph whose records are a table of the test. */
export interface Neighbour {
  readonly askOwner: AskOwner;
  /** Puts a record in the table, or replaces it. */
  put(record: NeighbourRecord): void;
  /** A record of the table, to put a later version of it. */
  get(id: string): NeighbourRecord;
  remove(id: string): void;
  /** Number of operations it was asked. */
  readonly questions: number;
}

const typeDefs = parse(`
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])
  scalar Fields
  enum Visibility { PUBLIC PRIVATE }
  type Content { languageTag: String visibility: Visibility! url: String slug: String title: String! html: String! fields: Fields! images: [Image!] product: Fields }
  type Image { src: String! alt: String }
  type Listing @key(fields: "id") { id: ID! ownerId: ID viewerCanRead: Boolean! viewerCanEdit: Boolean! viewerOnlyReads: Boolean! contentVersion: Int content: Content }
  type Dealer @key(fields: "id") { id: ID! ownerId: ID viewerCanRead: Boolean! viewerCanEdit: Boolean! viewerOnlyReads: Boolean! contentVersion: Int content: Content }
  type Page @key(fields: "id") { id: ID! ownerId: ID viewerCanRead: Boolean! viewerCanEdit: Boolean! viewerOnlyReads: Boolean! contentVersion: Int content: Content }
  type Media @key(fields: "id") { id: ID! ownerId: ID viewerCanRead: Boolean! viewerCanEdit: Boolean! viewerOnlyReads: Boolean! contentVersion: Int content: Content }
  type Query { nothing: Boolean }
`);

/**
 * Makes an owning subgraph: a real schema that is asked a real operation with the caller's identity. Its rule: owners
 * and members of the owning dealer edit; they and the staff of the installation read, and anybody what is public.
 */
export function createNeighbour(): Neighbour {
  const records = new Map<string, NeighbourRecord>();
  let questions = 0;
  const find = (type: OwnedType, id: string, { installationId }: RequestContext) => {
    const record = records.get(id);
    return record?.type === type && record.installationId === installationId ? record : null;
  };
  const resolversOf = (type: OwnedType) => ({
    __resolveReference: ({ id }: { id: string }, context: RequestContext) => find(type, id, context),
    viewerCanEdit: isOwner,
    viewerOnlyReads: ({ ownerId }: NeighbourRecord, _: object, { viewerOrNull }: RequestContext) =>
      viewerOrNull?.membershipOf(ownerId)?.dealerState === 'suspended',
    viewerCanRead: mayRead,
    content: (record: NeighbourRecord, _: object, context: RequestContext) =>
      mayRead(record, _, context) ? record.content : null,
  });
  const schema = buildSubgraphSchema([
    { typeDefs, resolvers: Object.fromEntries(ownedTypes.map((type) => [type, resolversOf(type)])) },
  ]);
  const ask = askLocally(() => schema);
  return {
    askOwner: async (variables, context) => {
      questions += 1;
      await context.identify();
      return ask(variables, context);
    },
    put: (record) => void records.set(record.id, record),
    get: (id) => {
      const record = records.get(id);
      if (!record) throw new Error(`The neighbour has no ${id}.`);
      return record;
    },
    remove: (id) => void records.delete(id),
    get questions() {
      return questions;
    },
  };
}

function isOwner({ ownerId }: NeighbourRecord, _: object, { viewerOrNull }: RequestContext): boolean {
  return viewerOrNull?.id === ownerId || viewerOrNull?.membershipOf(ownerId) !== undefined;
}

function mayRead(record: NeighbourRecord, _: object, context: RequestContext): boolean {
  const breadth =
    context.viewerOrNull?.breadthOf('seo:edit') ?? context.viewerOrNull?.breadthOf('translations:read');
  return isOwner(record, _, context) || breadth === 'any' || record.content.visibility === 'PUBLIC';
}
