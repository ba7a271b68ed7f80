/** A contract of two subgraphs with standard guards, a route and a registered operation. */
export const shop = {
  'schema-check.json': {
    subgraphs: [
      { name: 'items', file: 'items.graphql' },
      { name: 'reviews', file: 'reviews.graphql' },
    ],
    openApi: 'openapi.json',
    operations: ['operations/*.graphql'],
  },
  'items.graphql': `extend schema
  @link(url: "https://specs.apollo.dev/federation/v2.6", import: ["@key", "@authenticated", "@requiresScopes", "@policy"])

type Query {
  item(id: ID!): Item
  orders: [String!]! @requiresScopes(scopes: [["orders:read"]])
}

type Item @key(fields: "id") {
  id: ID!
  title: String!
  weight: Int
}
`,
  'reviews.graphql': `extend schema @link(url: "https://specs.apollo.dev/federation/v2.6", import: ["@key"])

type Item @key(fields: "id") {
  id: ID!
  rating: Int
}
`,
  'openapi.json': {
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1' },
    paths: {
      '/items/{id}': {
        get: {
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          responses: {
            200: {
              description: 'An item.',
              content: {
                'application/json': {
                  schema: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
                },
              },
            },
          },
        },
      },
    },
  },
  'operations/item.graphql': 'query item($id: ID!) { item(id: $id) { title rating } }',
};

/** Returns a file of the shop with one text replaced. */
export function edited(file: 'items.graphql' | 'reviews.graphql', from: string, to: string) {
  if (!shop[file].includes(from)) throw new Error(`${file} does not contain ${from}`);
  return { [file]: shop[file].replace(from, to) };
}
