import { gql, type TypedDocumentNode } from '@apollo/client';

/** An amount of money in minor units. */
export interface Money {
  amount: number;
  currency: string;
}

/** An image in several sizes and formats. */
export interface Image {
  altText: string | null;
  renditions: { format: string; width: number; url: string }[];
}

/** A car in a list. */
export interface Card {
  id: string;
  title: string;
  price: Money | null;
  cover: Image | null;
}

/** A facet of the list. */
export interface Facet {
  name: string;
  buckets: { value: string; count: number }[];
}

/** A message of a conversation. */
export interface Message {
  id: string;
  seq: number;
  text: string | null;
  author: { displayName: string };
  attachments: { mediaId: string }[];
}

const image = 'altText renditions { format width url }';
const card = `id title price { amount currency } cover { ${image} }`;
const message = 'id seq text author { displayName } attachments { mediaId }';

/** The cars that match a search, and the facets of the search. */
export const SEARCH: TypedDocumentNode<
  {
    catalogListings: {
      totalCountText: string;
      nodes: Card[];
      pageInfo: { hasNextPage: boolean; endCursor: string | null };
    };
    catalogFacets: { facets: Facet[] };
  },
  { q: string | null; attributes: { name: string; values: string[] }[]; facets: string[]; after?: string }
> = gql`query search($q: String, $attributes: [CatalogAttributeInput!], $facets: [String!]!, $after: String) {
  catalogListings(q: $q, attributes: $attributes, after: $after, first: 24, count: true) {
    totalCountText nodes { ${card} } pageInfo { hasNextPage endCursor }
  }
  catalogFacets(facets: $facets, q: $q, attributes: $attributes) { facets { name buckets { value count } } }
}`;

/** A car. */
export const CAR: TypedDocumentNode<
  {
    catalogListing:
      | (Card & {
          description: string;
          attributes: Record<string, unknown>;
          images: Image[];
          seller: { name: string };
        })
      | null;
  },
  { id: string }
> = gql`query car($id: ID!) {
  catalogListing(listingId: $id) { ${card} description attributes images { ${image} } seller { name } }
}`;

/** The saved cars of the user. */
export const SAVED: TypedDocumentNode<
  { myFavorites: { nodes: { listingId: string; listing: Card | null }[] } },
  Record<string, never>
> = gql`query saved { myFavorites(first: 100) { nodes { listingId listing { ${card} } } } }`;

/** Saves a car. */
export const SAVE = gql`mutation save($id: ID!) { addFavorite(input: { listingId: $id }) { created } }`;

/** Removes a saved car. */
export const UNSAVE = gql`mutation unsave($id: ID!) { removeFavorite(input: { listingId: $id }) { removedListingId } }`;

/** The conversations of the user. */
export const CONVERSATIONS: TypedDocumentNode<
  { conversations: { nodes: { id: string; listingId: string | null; side: string }[] } },
  Record<string, never>
> = gql`query conversations { conversations(first: 100) { nodes { id listingId side } } }`;

/** The messages of a conversation. */
export const MESSAGES: TypedDocumentNode<{ messages: { nodes: Message[] } }, { id: string }> =
  gql`query messages($id: ID!) { messages(conversationId: $id, first: 100) { nodes { ${message} } } }`;

/** Asks the seller of a car. */
export const ASK: TypedDocumentNode<
  { startConversation: { conversation: { id: string } } },
  { listingId: string; text: string; attachments: string[] }
> = gql`mutation ask($listingId: ID!, $text: String!, $attachments: [ID!]) {
  startConversation(input: { listingId: $listingId, text: $text, attachments: $attachments }) { conversation { id } }
}`;

/** Reports changes of the user's records. */
export const EVENTS: TypedDocumentNode<
  { events: { event: { type: string; conversation: { id: string } | null } | null } },
  Record<string, never>
> = gql`subscription events { events { event { type conversation { id } } } }`;

/** Declares a photo. */
export const CREATE_PHOTO: TypedDocumentNode<
  {
    createMedia: {
      media: {
        id: string;
        upload: { method: string; url: string; headers: { name: string; value: string }[] } | null;
      };
    };
  },
  { filename: string; contentType: string; byteSize: number }
> = gql`mutation createPhoto($filename: String!, $contentType: String!, $byteSize: Int!) {
  createMedia(input: { filename: $filename, contentType: $contentType, byteSize: $byteSize, purpose: MESSAGE }) {
    media { id upload { method url headers { name value } } }
  }
}`;

/** Completes the upload of a photo. */
export const COMPLETE_PHOTO = gql`mutation completePhoto($id: ID!) {
  completeMediaUpload(input: { mediaId: $id }) { media { id state } }
}`;

/** The state of a photo. */
export const PHOTO: TypedDocumentNode<
  { media: { id: string; state: string; failure: { detail: string } | null } },
  { id: string }
> = gql`query photo($id: ID!) { media(mediaId: $id) { id state failure { detail } } }`;

/** Signs a user in. */
export const SIGN_IN: TypedDocumentNode<
  { issueToken: { tokens: { accessToken: string } } },
  { username: string; password: string }
> = gql`mutation signIn($username: String!, $password: String!) {
  issueToken(input: { grantType: "password", username: $username, password: $password, clientId: "storefront-apollo" }) {
    tokens { accessToken }
  }
}`;
